// Answers to a question of Holdfast's own: such an answer is a decision about the session.
import { mkdirSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answerTask } from '../../../src/supervisor/orders/answer-task.ts'
import { readyRuntime } from '../../helpers/runtime-in-time.ts'

const MINUTE = 60_000

/** A runtime that cannot go on by itself: its directory was gone for a while. */
async function asked() {
  const world = await readyRuntime()
  const { id, project, clock, task, agentExits } = world
  rmSync(project, { recursive: true })
  await agentExits(id, { code: 1 })
  await clock.passUntil('the question', async () => (await task(id)).status === 'waiting_input', 5 * MINUTE)
  mkdirSync(project)
  return world
}

test.each([
  ['resume', 'task_resume'],
  ['close', 'task_cancelled'],
] as const)(
  '%s that comes again with its key is carried out once, and told as it was',
  async (choice, kind) => {
    const { id, core, task } = await asked()
    const key = { createdBy: 'ada', route: 'POST /api/tasks/:id/answer', key: 'k', digest: 'd' }
    const give = async (more = {}) =>
      answerTask(await task(id), { choice, number: undefined, by: 'ada', key: { ...key, ...more } }, core)
    const [first, second] = await Promise.all([give(), give()])
    const third = await give()
    for (const told of [first, second, third])
      expect(told).toMatchObject({
        question: { number: first.question.number },
        answer: { text: choice },
        takesText: false,
      })
    await expect(give({ digest: 'other' })).rejects.toMatchObject({ code: 'KEY_REUSED' })
    await expect(give({ key: 'another' })).rejects.toMatchObject({ code: 'NOT_ASKING' })
    expect(await core.store.audits({ taskId: id, kind })).toHaveLength(1)
  },
)

test.each([
  ['resume', 'close'],
  ['close', 'resume'],
])(
  'of %s and %s at the same moment the first counts, and the other one is told so',
  async (first, second) => {
    const { id, core, task } = await asked()
    const question = (await core.store.openQuestions(id))[0]!.number
    const asking = await task(id)
    const give = (choice: string, by: string) => answerTask(asking, { choice, number: undefined, by }, core)
    const both = await Promise.allSettled([give(first, 'ada'), give(second, 'bob')])
    expect(both).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'ALREADY_ANSWERED' } },
    ])
    expect(await core.store.question(id, question)).toMatchObject({ answer: first, answeredBy: 'ada' })
    expect((await task(id)).status === 'cancelled').toBe(first === 'close')
  },
)
