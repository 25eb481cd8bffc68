// Answers to questions of another daemon's sessions: only that daemon watches their runs and has their terminals.
import { expect, onTestFinished, test } from 'vitest'
import { HOLDFAST_ASKS } from '../../../src/domain/conversation/holdfast-question.ts'
import { asNodeId } from '../../../src/domain/names/ids.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { openDesk } from '../../../src/supervisor/desk.ts'
import { aMove } from '../../builders/move.ts'
import { aQuestionDraft } from '../../builders/question.ts'
import { aTaskDraft } from '../../builders/task.ts'
import { startCore } from '../../helpers/core-world.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { launch } from '../../store/samples.ts'

type Asks = { readonly ref: string | null; readonly options?: string[] }

/** A session of another daemon, at work, that asks this. */
async function asking({ ref, options }: Asks, changes: Parameters<typeof aTaskDraft>[0] = {}) {
  const it = await startCore()
  onTestFinished(() => it.supervisor.stop())
  const node = { id: asNodeId('node-2'), host: 'far', pid: 1, version: 'test' }
  const owner = await openStore({ path: it.home.database, node, clock: it.clock })
  onTestFinished(() => owner.close())
  const { id: _, ...draft } = aTaskDraft(changes)
  const { id, runId } = await launch(owner, 'two', draft)
  const question = aQuestionDraft({ id, runId }, { ref, ...(options && { options }) })
  const event = ref === HOLDFAST_ASKS ? 'escalated' : 'question_asked'
  await owner.commit({ question, task: aMove(id, 'running', event, { set: { sessionId: 's' } }) })
  const { conversation } = openDesk(it.supervisor, new AbortController().signal)
  const answer = async (choice: string) =>
    conversation.answer((await owner.task(id))!, { choice, number: undefined, by: 'ada' })
  return { id, owner, answer, version: () => owner.taskVersion(id) }
}

const DECISION: Asks = { ref: HOLDFAST_ASKS, options: ['resume', 'retry', 'close'] }

test('a decision is ordered of that daemon, and told when it is carried out there', async () => {
  const { id, owner, answer, version } = await asking(DECISION)
  const before = await version()
  const answered = answer('resume')
  await waitFor('the order', async () => (await owner.openOrders()).length === 1)
  const [order] = await owner.openOrders()
  expect(order).toMatchObject({ kind: 'resume', by: 'ada', state: 'placed', taskId: id })
  await owner.commit({
    order: { id: order!.id, from: 'placed', to: 'done', at: 1, outcome: { acted: true } },
  })
  expect(await answered).toMatchObject({ answer: { text: 'resume' }, question: { number: 1 } })
  expect(await version()).toBe(before)
})

test('one to close it is refused, with the way to end it', async () => {
  const { id, owner, answer } = await asking(DECISION)
  await expect(answer('close')).rejects.toMatchObject({
    code: 'OTHER_NODE',
    message: expect.stringContaining('on far (node-2)'),
    waysOut: [{ do: 'kill', id }],
  })
  expect(await owner.openOrders()).toEqual([])
})

test('what an agent reads as a line is stored for it', async () => {
  const { id, owner, answer } = await asking({ ref: 'r1' }, { snapshot: { converse: true } })
  expect(await answer('yes')).toMatchObject({ way: 'at_once' })
  expect(await owner.inputs(id)).toMatchObject([{ kind: 'answer', text: 'yes', question: 1 }])
})

test('a dialog in a terminal is answered where the terminal is', async () => {
  const { id, owner, answer } = await asking({ ref: null }, { mode: 'interactive' })
  await expect(answer('yes')).rejects.toMatchObject({ code: 'OTHER_NODE' })
  expect(await owner.inputs(id)).toEqual([])
})

test('an agent that is resumed with its answer is resumed there', async () => {
  const { answer, version } = await asking({ ref: null })
  const before = await version()
  await expect(answer('yes')).rejects.toMatchObject({ code: 'OTHER_NODE' })
  expect(await version()).toBe(before)
})
