import { expect, test } from 'vitest'
import { HOLDFAST_ASKS } from '../../../src/domain/conversation/holdfast-question.ts'
import type { Store } from '../../../src/ports/store/store.ts'
import { anAudit } from '../../builders/audit.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { aMove } from '../../builders/move.ts'
import { aQuestion, aQuestionDraft } from '../../builders/question.ts'
import { aReading } from '../../builders/reading.ts'
import type { NewPlace, Open } from '../../contract/store-contract.ts'
import { everything, expectConsistent, rejectsWith } from '../expectations.ts'
import { launch } from '../samples.ts'
import { answer, recordReading } from '../writes.ts'

/** A task whose agent asks. */
async function ask(store: Store, name: string) {
  const run = await launch(store, name)
  const question = aQuestionDraft(run)
  await store.commit({ task: aMove(run.id, 'running', 'question_asked'), question })
  return { ...run, question, asked: { taskId: run.id, number: 1 } }
}
const ALL = { after: null, most: 9, mostEnded: 9 }
const answerOf = (text: string, option: number | null = null) => ({ text, option, by: 'ann', at: NOON + 4 })

export function questions(newPlace: NewPlace) {
  const open: Open = async () => (await newPlace()).open()

  test('a question is open until it is settled, also when it is answered', async () => {
    const store = await open()
    const { id, question, asked } = await ask(store, 'one')
    const open1 = aQuestion(question)
    expect(await store.openQuestions(id)).toEqual([open1])
    expect(await answer(store, asked, answerOf('yes', 0), anAudit({ kind: 'question_answered' }))).toBe(true)
    const answered = { ...open1, answer: 'yes', answeredBy: 'ann', answeredAt: NOON + 4 }
    expect(await store.openQuestions(id)).toEqual([answered])
    const settled = { taskId: id, at: NOON + 5, numbers: [1] }
    await store.commit({ task: aMove(id, 'waiting_input', 'question_settled'), settled })
    expect(await store.openQuestions(id)).toEqual([])
    expect(await store.openQuestions(taskId('none'))).toEqual([])
  })

  test('a task says what the oldest open question of its agent asks', async () => {
    const store = await open()
    const { id, question } = await ask(store, 'one')
    const next = { ...question, text: 'Delete /home?', options: ['yes', 'no'] }
    await store.commit({ question: next })
    await store.commit({ settled: { taskId: id, at: NOON + 5, numbers: [1] } })
    expect((await store.task(id))?.reason).toBe('Delete /home? (yes / no)')
    await store.commit({ question: aQuestionDraft({ id, runId: question.runId }, { ref: HOLDFAST_ASKS }) })
    await store.commit({ settled: { taskId: id, at: NOON + 6, numbers: [2] } })
    expect((await store.task(id))?.reason).toBe('Delete /home? (yes / no)')
  })

  test('lists tell whose question a task waits for: that of the oldest that is open', async () => {
    const store = await open()
    await launch(store, 'works')
    await ask(store, 'agent')
    const own = await launch(store, 'own')
    const draft = aQuestionDraft(own, { ref: HOLDFAST_ASKS })
    await store.commit({ task: aMove(own.id, 'running', 'question_asked'), question: draft })
    await store.commit({ question: aQuestionDraft(own) })
    const asked = async () => {
      const [tasks, rows] = [await store.taskPage({}, ALL), await store.rowPage({}, ALL)]
      const byId = ({ items }: typeof tasks | typeof rows) =>
        Object.fromEntries(items.map(({ id, askedBy }) => [id, askedBy]))
      expect(byId(rows)).toEqual(byId(tasks))
      return byId(rows)
    }
    const first = { [taskId('works')]: null, [taskId('agent')]: 'agent', [taskId('own')]: 'holdfast' }
    expect(await asked()).toEqual(first)
    await store.commit({ settled: { taskId: own.id, at: NOON + 5, numbers: [1] } })
    expect(await asked()).toEqual({ ...first, [taskId('own')]: 'agent' })
    await store.commit({ task: aMove(own.id, 'waiting_input', 'question_settled') })
    expect(await asked()).toEqual({ ...first, [taskId('own')]: null })
  })

  test('an answer is queued as an input by the same commit, told and audited', async () => {
    const store = await open()
    const { id, asked } = await ask(store, 'one')
    const before = await store.lastSeq()
    await answer(
      store,
      asked,
      answerOf('no\0, \'"; drop table questions', 1),
      anAudit({ kind: 'question_answered' }),
    )
    expect(await store.inputs(id)).toMatchObject([
      {
        number: 1,
        kind: 'answer',
        text: 'no\ufffd, \'"; drop table questions',
        question: 1,
        option: 1,
        by: 'ann',
        at: NOON + 4,
        saidAt: null,
      },
    ])
    expect(await store.events(before, 9)).toMatchObject([
      { kind: 'question_answered', at: NOON + 4, taskId: id, data: { number: 1, option: 1, by: 'ann' } },
      { kind: 'input_queued', at: NOON + 4, taskId: id, data: { number: 1, kind: 'answer', by: 'ann' } },
    ])
    expect(await store.audits({ kind: 'question_answered' })).toHaveLength(1)
  })

  test('of two who answer at once, one wins and the other changes nothing', async () => {
    const store = await open()
    for (let round = 0; round < 5; round++) {
      const { id, asked } = await ask(store, `race-${round}`)
      const texts = ['yes', 'no']
      const won = await Promise.all(texts.map((text) => answer(store, asked, answerOf(text), anAudit())))
      expect(won.sort()).toEqual([false, true])
      const [question] = await store.openQuestions(id)
      expect(await store.inputs(id)).toMatchObject([{ text: question?.answer }])
    }
    await expectConsistent(store)
  })

  test('a second answer, also after an empty one, and one to a question that is over or unknown are refused', async () => {
    const store = await open()
    const { asked } = await ask(store, 'one')
    expect(await answer(store, asked, answerOf(''), anAudit())).toBe(true)
    const over = await ask(store, 'over')
    await store.commit({ settled: { taskId: over.id, at: NOON + 5, numbers: [1] } })
    const before = await everything(store)
    for (const question of [asked, over.asked, { ...asked, number: 2 }])
      expect(await answer(store, question, answerOf('no'), anAudit())).toBe(false)
    await rejectsWith(
      answer(store, { ...asked, taskId: taskId('none') }, answerOf('no'), anAudit()),
      'TASK_NOT_FOUND',
    )
    expect(await everything(store)).toEqual(before)
  })

  test('only the questions that are named are settled; a second one waits behind the first', async () => {
    const store = await open()
    const run = await ask(store, 'one')
    const other = await ask(store, 'other')
    for (const ref of ['b', 'c']) await store.commit({ question: aQuestionDraft(run, { ref, options: [] }) })
    expect((await store.openQuestions(run.id)).map(({ number, ref }) => [number, ref])).toEqual([
      [1, null],
      [2, 'b'],
      [3, 'c'],
    ])
    await store.commit({ settled: { taskId: run.id, at: NOON + 5, numbers: [] } })
    await store.commit({ settled: { taskId: run.id, at: NOON + 5, numbers: [1, 3, 99] } })
    expect(await store.openQuestions(run.id)).toMatchObject([{ number: 2, options: [] }])
    expect(await store.openQuestions(other.id)).toHaveLength(1)
    const settled = { taskId: run.id, at: NOON + 6, numbers: [2] }
    await store.commit({ settled, question: aQuestionDraft(run, { ref: 'd' }) })
    expect(await store.openQuestions(run.id)).toMatchObject([{ number: 4, ref: 'd' }])
  })

  test.each(['completed', 'failed', 'cancelled'] as const)(
    'a task that is %s asks nothing more',
    async (event) => {
      const store = await open()
      const { id, asked } = await ask(store, 'one')
      const other = await ask(store, 'other')
      await store.commit({ task: aMove(id, 'waiting_input', event) })
      expect(await store.openQuestions(id)).toEqual([])
      expect(await answer(store, asked, answerOf('yes'), anAudit())).toBe(false)
      await rejectsWith(
        store.commit({ question: aQuestionDraft(other, { taskId: id }) }),
        'TRANSITION_CONFLICT',
      )
      expect(await store.openQuestions(other.id)).toHaveLength(1)
    },
  )

  test('a task that is queued again asks nothing more', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    await store.commit({ question: aQuestionDraft(run) })
    await store.commit({ task: aMove(run.id, 'running', 'agent_started') })
    expect(await store.openQuestions(run.id)).toHaveLength(1)
    await store.commit({ task: aMove(run.id, 'running', 'requeued') })
    expect(await store.openQuestions(run.id)).toEqual([])
  })

  test.each(['backed_off', 'parked', 'person_stopped', 'escalated', 'verifying'] as const)(
    'what an agent asked goes with its run: %s',
    async (event) => {
      const store = await open()
      const { id, runId } = await ask(store, 'one')
      const other = await ask(store, 'other')
      const question = aQuestionDraft({ id, runId }, { ref: 'holdfast', text: 'Resume or close?' })
      await store.commit({ task: aMove(id, 'waiting_input', event), question })
      expect(await store.openQuestions(id)).toMatchObject([{ number: 2, ref: 'holdfast' }])
      expect(await store.openQuestions(other.id)).toHaveLength(1)
    },
  )

  test.each(['turn_finished', 'stuck_seen'] as const)(
    'what an agent asked outlives what it lives through: %s',
    async (event) => {
      const store = await open()
      const run = await launch(store, 'one')
      await store.commit({ question: aQuestionDraft(run) })
      await store.commit({ task: aMove(run.id, 'running', event) })
      expect(await store.openQuestions(run.id)).toHaveLength(1)
    },
  )

  test('all open questions of unended tasks come oldest first', async () => {
    const place = await newPlace()
    const [store, elsewhere] = [await place.open('node-a'), await place.open('node-b')]
    expect(await store.allOpenQuestions()).toEqual([])
    for (const [name, askedAt] of [
      ['b', NOON + 2],
      ['a', NOON + 2],
      ['first', NOON + 1],
      ['ended', NOON],
      ['settled', NOON],
    ] as const) {
      const run = await launch(store, name)
      await store.commit({ question: aQuestionDraft(run, { askedAt }) })
    }
    await store.commit({ task: aMove(taskId('ended'), 'running', 'failed') })
    await store.commit({ settled: { taskId: taskId('settled'), at: NOON, numbers: [1] } })
    await ask(elsewhere, 'elsewhere')
    const all = await store.allOpenQuestions()
    expect(all.map(({ taskId }) => taskId)).toEqual(['first', 'a', 'b'].map(taskId))
    expect(all.slice(0, 1)).toEqual(await store.openQuestions(taskId('first')))
  })

  test("an answer to Holdfast's own question commits with what it decides, once, settles it, and says nothing to an agent", async () => {
    const store = await open()
    const { id } = await ask(store, 'one')
    const answered = { taskId: id, number: 1, answer: 'close\0', by: 'ann', at: NOON + 4 }
    const before = await everything(store)
    const late = aMove(id, 'running', 'cancelled')
    await rejectsWith(store.commit({ answered, task: late }), 'TRANSITION_CONFLICT')
    await rejectsWith(store.commit({ answered: { ...answered, number: 2 } }), 'TRANSITION_CONFLICT')
    expect(await everything(store)).toEqual(before)
    await store.commit({ answered })
    expect(await store.openQuestions(id)).toEqual([])
    expect(await store.inputs(id)).toEqual([])
    expect(await store.events(before.lastSeq, 9)).toMatchObject([
      { kind: 'question_answered', at: NOON + 4, taskId: id, data: { number: 1, by: 'ann' } },
    ])
    await rejectsWith(store.commit({ answered: { ...answered, answer: 'no' } }), 'TRANSITION_CONFLICT')
    expect(await answer(store, { taskId: id, number: 1 }, answerOf('no'), anAudit())).toBe(false)
  })

  test('a question commits with the lines that asked it, or not at all', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const change = { task: aMove(run.id, 'running', 'question_asked'), question: aQuestionDraft(run) }
    const before = await everything(store)
    await rejectsWith(recordReading(store, aReading(run, { fromOffset: 7 }), change), 'TRANSITION_CONFLICT')
    expect(await everything(store)).toEqual(before)
    await recordReading(store, aReading(run, {}), change)
    expect(await store.openQuestions(run.id)).toMatchObject([{ number: 1 }])
  })

  test('an answer races the end of its task: it is queued before the end, or refused', async () => {
    const store = await open()
    for (let round = 0; round < 5; round++) {
      const { id, asked } = await ask(store, `race-${round}`)
      const [won] = await Promise.all([
        answer(store, asked, answerOf('yes'), anAudit()),
        store.commit({ task: aMove(id, 'waiting_input', 'cancelled') }),
      ])
      expect(await store.inputs(id)).toHaveLength(won ? 1 : 0)
    }
    await expectConsistent(store)
  })
}
