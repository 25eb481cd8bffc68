import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RunId, TaskId } from '../../../src/domain/names/ids.ts'
import type { Saying } from '../../../src/ports/store/conversation.ts'
import type { Store } from '../../../src/ports/store/store.ts'
import { anAudit } from '../../builders/audit.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { anInput, anInputDraft } from '../../builders/input.ts'
import { aMove } from '../../builders/move.ts'
import { aReading } from '../../builders/reading.ts'
import { aRunDraft } from '../../builders/run.ts'
import type { Open } from '../../contract/store-contract.ts'
import { everything, rejectsWith } from '../expectations.ts'
import { create, launch } from '../samples.ts'
import { addInput, recordReading, say } from '../writes.ts'

type Run = { readonly id: TaskId; readonly runId: RunId }
const typed = ({ id, runId }: Run, number: number): Saying => ({
  taskId: id,
  number,
  runId,
  at: NOON + 5,
  voidsResult: true,
  written: null,
})
const written = (run: Run, number: number, offset: number, line: string): Saying => ({
  ...typed(run, number),
  written: { line, offset },
})
const told = async (store: Store, after: number) =>
  (await store.events(after, 100)).map(({ kind, at, data }) => [kind, at, data])

export function inputs(open: Open) {
  test('an input is queued, said, heard and worked off, and each step but the last is told', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const before = await store.lastSeq()
    const draft = anInputDraft(run.id, { text: '🙂 \ud800 $(rm) \'"; drop table inputs' })
    const queued = await addInput(store, draft, anAudit({ kind: 'prompt_sent' }))
    const text = draft.text.replace('\ud800', '\ufffd')
    expect(queued).toEqual(anInput({ ...draft, text }))
    expect(await store.audits({ kind: 'prompt_sent' })).toHaveLength(1)
    await say(store, written(run, 1, 0, '{"é":1}\n'))
    const said = { ...queued, runId: run.runId, line: '{"é":1}\n', offset: 0, saidAt: NOON + 5 }
    expect(await store.inputs(run.id)).toEqual([said])
    expect(await store.run(run.runId)).toMatchObject({ inputLength: 9 })
    await recordReading(store, aReading(run, { heard: [1] }))
    expect(await store.inputs(run.id)).toEqual([{ ...said, heardAt: NOON }])
    await recordReading(store, aReading(run, { fromOffset: 100, offset: 200, heard: [1], done: [1] }))
    expect(await store.inputs(run.id)).toEqual([{ ...said, heardAt: NOON, doneAt: NOON }])
    expect(await told(store, before)).toEqual([
      ['input_queued', NOON + 2, { number: 1, kind: 'prompt', by: 'ann' }],
      ['input_said', NOON + 5, { number: 1, kind: 'prompt', run_id: run.runId }],
      ['input_heard', NOON, { number: 1, run_id: run.runId }],
    ])
  })

  test('a change queues its input with the rest of it, or not at all', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const input = anInputDraft(run.id, { kind: 'end' })
    await store.commit({ task: aMove(run.id, 'running', 'agent_started'), input })
    const before = await everything(store)
    await rejectsWith(
      store.commit({ task: aMove(run.id, 'pending', 'launched'), input }),
      'TRANSITION_CONFLICT',
    )
    const late = { id: run.runId, from: 'live', event: 'exited' } as const
    await rejectsWith(store.commit({ input, run: late }), 'TRANSITION_CONFLICT')
    expect(await everything(store)).toEqual(before)
    expect(await store.inputs(run.id)).toMatchObject([{ number: 1, kind: 'end' }])
  })

  test('nothing is queued for a task that has ended or never was', async () => {
    const store = await open()
    const { id } = await create(store, 'one')
    await store.commit({ task: aMove(id, 'pending', 'cancelled') })
    const before = await everything(store)
    expect(await addInput(store, anInputDraft(id), anAudit())).toBeUndefined()
    await rejectsWith(store.commit({ input: anInputDraft(id) }), 'TRANSITION_CONFLICT')
    await rejectsWith(addInput(store, anInputDraft(taskId('none')), anAudit()), 'TASK_NOT_FOUND')
    await rejectsWith(store.commit({ input: anInputDraft(taskId('none')) }), 'TASK_NOT_FOUND')
    expect(await everything(store)).toEqual(before)
  })

  test('inputs that are queued at once get numbers without gaps, for each task its own', async () => {
    const store = await open()
    const ids = [(await create(store, 'a')).id, (await create(store, 'b')).id]
    const added = Array.from({ length: 16 }, (_, index) =>
      addInput(store, anInputDraft(ids[index % 2]!, { text: `${index}` }), anAudit()),
    )
    await Promise.all(added)
    for (const id of ids)
      expect((await store.inputs(id)).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('of two who say the same input, one does', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    for (let number = 1; number <= 5; number++) {
      await addInput(store, anInputDraft(run.id), anAudit())
      const { inputLength } = (await store.run(run.runId))!
      const racers = [typed(run, number), written(run, number, inputLength, 'x\n')]
      if (number % 2 === 0) racers.reverse()
      const outcomes = await Promise.allSettled(racers.map((saying) => say(store, saying)))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'TRANSITION_CONFLICT' },
      })
    }
    const inFile = (await store.inputs(run.id)).filter(({ line }) => line !== null)
    expect(await store.run(run.runId)).toMatchObject({ inputLength: 2 * inFile.length })
  })

  test('of two inputs that are said to one place, one gets it and the other stays queued', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    for (const _ of [1, 2]) await addInput(store, anInputDraft(run.id), anAudit())
    const outcomes = await Promise.allSettled(
      [1, 2].map((number) => say(store, written(run, number, 0, 'x\n'))),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await store.inputs(run.id)).filter(({ saidAt }) => saidAt !== null)).toHaveLength(1)
    expect(await store.run(run.runId)).toMatchObject({ inputLength: 2 })
  })

  test('what is said to a wrong place or run, or never was queued, changes nothing', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const other = await launch(store, 'other')
    await addInput(store, anInputDraft(run.id), anAudit())
    const before = await everything(store)
    await rejectsWith(say(store, written(run, 1, 7, 'x\n')), 'TRANSITION_CONFLICT')
    await rejectsWith(say(store, typed(run, 2)), 'TRANSITION_CONFLICT')
    await rejectsWith(say(store, typed({ ...run, runId: other.runId }, 1)), 'TRANSITION_CONFLICT')
    await rejectsWith(say(store, typed({ ...run, id: taskId('none') }, 1)), 'TASK_NOT_FOUND')
    await recordReading(store, aReading(run, { offset: 0, outputLength: 0, heard: [1, 2], done: [1, 2] }))
    expect(await everything(store)).toEqual(before)
  })

  test('what is typed has no place in the input file', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    await addInput(store, anInputDraft(run.id), anAudit())
    await say(store, typed(run, 1))
    expect(await store.inputs(run.id)).toMatchObject([{ line: null, offset: null, saidAt: NOON + 5 }])
    expect(await store.run(run.runId)).toMatchObject({ inputLength: 0 })
  })

  test("what begins a turn voids its run's result, other inputs do not", async () => {
    const store = await open()
    const run = await launch(store, 'one')
    for (const kind of ['answer', 'end', 'prompt'] as const)
      await addInput(store, anInputDraft(run.id, { kind }), anAudit())
    const result = { ok: true, text: 'done' }
    await recordReading(store, aReading(run, { result }))
    for (const number of [1, 2]) await say(store, { ...typed(run, number), voidsResult: false })
    expect(await store.run(run.runId)).toMatchObject({ result })
    await say(store, typed(run, 3))
    expect(await store.run(run.runId)).toMatchObject({ result: null })
  })

  test('what a run was told and never heard is queued again when its process is gone, from a number on', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const other = aRunDraft(run.id, { number: 2 })
    await store.commit({ newRun: other })
    const kinds = ['prompt', 'prompt', 'end', 'answer', 'continuation', 'prompt', 'prompt'] as const
    for (const kind of kinds) await addInput(store, anInputDraft(run.id, { kind }), anAudit())
    const lines = [1, 2, 3, 4, 5].map((number) => `${number}\n`)
    for (const [index, line] of lines.entries()) await say(store, written(run, index + 1, 2 * index, line))
    await say(store, typed({ ...run, runId: other.id }, 6))
    await recordReading(store, aReading(run, { heard: [2] }))
    const before = await store.inputs(run.id)
    await store.commit({ unsay: { taskId: run.id, runId: run.runId, from: 2 } })
    const unsaid = { runId: null, saidAt: null, line: null, offset: null }
    const after = before.map((one) => (one.number === 3 ? { ...one, ...unsaid } : one))
    expect(await store.inputs(run.id)).toEqual(after)
    await store.commit({ unsay: { taskId: run.id, runId: run.runId, from: 1 } })
    expect(await store.inputs(run.id)).toEqual(
      after.map((one) => (one.number === 1 ? { ...one, ...unsaid } : one)),
    )
    await say(store, written({ ...run, runId: other.id }, 1, 0, 'again\n'))
    expect((await store.inputs(run.id))[0]).toMatchObject({ runId: other.id, line: 'again\n', offset: 0 })
  })

  test('what was typed in vain is taken back, whatever its kind; what was heard or done, or said elsewhere, is not', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const kinds = ['continuation', 'prompt', 'prompt'] as const
    for (const kind of kinds) await addInput(store, anInputDraft(run.id, { kind }), anAudit())
    for (const number of [1, 2, 3]) await say(store, typed(run, number))
    await recordReading(store, aReading(run, { heard: [2] }))
    const before = await store.inputs(run.id)
    const back = (number: number, runId = run.runId) =>
      store.commit({ takeBack: { taskId: run.id, runId, number } })
    await back(2)
    await back(3, aRunDraft(run.id, { number: 2 }).id)
    expect(await store.inputs(run.id)).toEqual(before)
    await back(1)
    expect(await store.inputs(run.id)).toEqual([
      { ...before[0], runId: null, saidAt: null },
      ...before.slice(1),
    ])
    await say(store, typed(run, 1))
  })

  test('what is queued can be worded anew, what was said cannot', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    for (const _ of [1, 2]) await addInput(store, anInputDraft(run.id, { kind: 'continuation' }), anAudit())
    await say(store, typed(run, 1))
    const [said, queued] = await store.inputs(run.id)
    for (const number of [1, 2])
      await store.commit({ reword: { taskId: run.id, number, text: 'begin anew' } })
    expect(await store.inputs(run.id)).toEqual([said, { ...queued, text: 'begin anew' }])
  })

  test('nothing is unsaid when the rest of its change is refused', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    await addInput(store, anInputDraft(run.id), anAudit())
    await say(store, typed(run, 1))
    const before = await everything(store)
    const unsay = { taskId: run.id, runId: run.runId, from: 1 }
    const late = { id: run.runId, from: 'live', event: 'exited' } as const
    await rejectsWith(store.commit({ unsay, run: late }), 'TRANSITION_CONFLICT')
    expect(await everything(store)).toEqual(before)
  })

  test('hearing commits with the lines that told of it, and the first time counts', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    for (const number of [1, 2, 3]) {
      await addInput(store, anInputDraft(run.id), anAudit())
      if (number < 3) await say(store, typed(run, number))
    }
    const before = await everything(store)
    await rejectsWith(
      recordReading(store, aReading(run, { fromOffset: 7, heard: [1], done: [2] })),
      'TRANSITION_CONFLICT',
    )
    expect(await everything(store)).toEqual(before)
    await recordReading(store, aReading(run, { heard: [2, 1, 3, 99], done: [2] }))
    const steps = (await store.inputs(run.id)).map(({ heardAt, doneAt }) => [heardAt, doneAt])
    expect(steps).toEqual([
      [NOON, null],
      [NOON, NOON],
      [null, null],
    ])
    await recordReading(store, aReading(run, { fromOffset: 100, offset: 200, heard: [1], done: [2] }))
    const heard = (await store.events(before.lastSeq, 9)).map(
      ({ data }) => (data as { number: number }).number,
    )
    expect(heard).toEqual([1, 2])
  })

  test.each(['one after another', 'all at once'])(
    'any queueing, saying and hearing, %s: numbers have no gaps, nothing is said twice, lines lie end to end',
    async (way) => {
      const store = await open()
      let round = 0
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          const run = await launch(store, `${round++}`)
          const before = await store.lastSeq()
          if (way === 'all at once') await Promise.all(steps.map((one) => take(store, run, one)))
          else for (const one of steps) await take(store, run, one)
          await expectInputsSound(store, run, before)
        }),
        { numRuns: 15 },
      )
    },
  )
}

const step = fc.record({
  act: fc.constantFrom('queue', 'type', 'write', 'write', 'misplace', 'hear', 'finish'),
  number: fc.integer({ min: 1, max: 5 }),
  text: fc.string({ unit: 'grapheme', maxLength: 9 }),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Losing a race or saying what is not there is refused, and may be. */
async function take(store: Store, run: Run, { act, number, text }: Step): Promise<void> {
  if (act === 'queue') return void (await addInput(store, anInputDraft(run.id, { text }), anAudit()))
  const { eventsOffset, inputLength } = (await store.run(run.runId))!
  const acts: Record<Exclude<Step['act'], 'queue'>, () => Promise<unknown>> = {
    type: () => say(store, typed(run, number)),
    write: () => say(store, written(run, number, inputLength, `${text}\n`)),
    misplace: () => say(store, written(run, number, inputLength + 1, text)),
    hear: () => recordReading(store, advanced(run, eventsOffset, { heard: [number] })),
    finish: () => recordReading(store, advanced(run, eventsOffset, { done: [number] })),
  }
  await acts[act]().catch((error) => expect(error).toMatchObject({ code: 'TRANSITION_CONFLICT' }))
}
const advanced = (run: Run, from: number, over: { heard?: number[]; done?: number[] }) =>
  aReading(run, { fromOffset: from, offset: from + 1, ...over })

async function expectInputsSound(store: Store, run: Run, since: number): Promise<void> {
  const all = await store.inputs(run.id)
  expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1))
  let end = 0
  for (const { line, offset } of all
    .filter((one) => one.line !== null)
    .sort((a, b) => a.offset! - b.offset!)) {
    expect(offset).toBe(end)
    end += Buffer.byteLength(line!)
  }
  expect(await store.run(run.runId)).toMatchObject({ inputLength: end })
  const events = await store.events(since, 1000, run.id)
  const toldOf = (kind: string) =>
    events.filter((event) => event.kind === kind).map(({ data }) => (data as { number: number }).number)
  const numbersWith = (time: 'at' | 'saidAt' | 'heardAt') =>
    all.filter((one) => one[time] !== null).map(({ number }) => number)
  expect(toldOf('input_queued')).toEqual(numbersWith('at'))
  expect(toldOf('input_said').sort()).toEqual(numbersWith('saidAt'))
  expect(toldOf('input_heard').sort()).toEqual(numbersWith('heardAt'))
  for (const { saidAt, heardAt, doneAt } of all) {
    if (heardAt !== null) expect(saidAt).not.toBeNull()
    if (doneAt !== null) expect(heardAt).not.toBeNull()
  }
}
