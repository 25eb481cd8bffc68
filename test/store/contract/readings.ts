import { expect, test } from 'vitest'
import type { Reading } from '../../../src/ports/store/reading.ts'
import { NOON } from '../../builders/ids.ts'
import { aMove } from '../../builders/move.ts'
import { aReading } from '../../builders/reading.ts'
import type { Open } from '../../contract/store-contract.ts'
import { everything, rejectsWith } from '../expectations.ts'
import { launch } from '../samples.ts'
import { recordReading } from '../writes.ts'

export function readings(open: Open) {
  test('a commit tells what its agent used and did since the last one, and nothing when it did nothing', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const step = { tool: 'grep', detail: 'x', ok: true, at: NOON, endedAt: NOON + 5 }
    const told = await store.commit({
      reading: aReading(run, { tokensIn: 10, costUsd: 0.25, steps: [step] }),
    })
    expect(told).toMatchObject({
      events: [
        {
          kind: 'usage_reported',
          taskId: run.id,
          data: { run_id: run.runId, tokens_in: 10, tokens_out: 0, cost_usd: 0.25 },
        },
      ],
      did: { taskId: run.id, runId: run.runId, steps: [step] },
    })
    expect((await store.run(run.runId))?.steps).toEqual([step])
    const silent = await store.commit({ reading: aReading(run, { fromOffset: 100, offset: 110 }) })
    expect([silent.events, silent.did]).toEqual([[], undefined])
  })

  test('usage, session, result and offsets are stored together', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const usage = { tokensIn: 10, tokensOut: 5, costUsd: 0.25, unknownLines: 1 }
    await recordReading(store, aReading(run, { ...usage, sessionId: 'session-1', lastWords: 'almost there' }))
    const result = { ok: true, text: 'done\0 "quoted"' }
    await recordReading(
      store,
      aReading(run, { ...usage, fromOffset: 100, offset: 230, outputLength: 90, result }),
    )
    expect(await store.task(run.id)).toMatchObject({
      tokensIn: 20,
      tokensOut: 10,
      costUsd: 0.5,
      sessionId: 'session-1',
    })
    expect(await store.run(run.runId)).toMatchObject({
      eventsOffset: 230,
      outputLength: 90,
      unknownLines: 2,
      lastWords: 'almost there',
      result,
    })
    await recordReading(store, aReading(run, { fromOffset: 230, offset: 240 }))
    expect(await store.run(run.runId)).toMatchObject({ eventsOffset: 240, result })
    await recordReading(store, aReading(run, { fromOffset: 240, offset: 250, result: null }))
    expect(await store.run(run.runId)).toMatchObject({ result: null })
  })

  test('what it did, why it failed and its session’s sum are stored until they are told anew', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const sessionUsage = { session: 'session-1', tokensIn: 10, tokensOut: 5, costUsd: 0 }
    const steps = [{ tool: 'edit', detail: 'a\0b', ok: null, file: 'a.ts' }]
    const told = { tools: 1, progress: 2, failure: 'limit', limitedUntil: 7, steps } as const
    await recordReading(store, aReading(run, { ...told, sessionUsage }))
    await recordReading(store, aReading(run, { fromOffset: 100, offset: 200, tools: 1 }))
    expect(await store.task(run.id)).toMatchObject({ sessionUsage, tokensIn: 0 })
    expect(await store.run(run.runId)).toMatchObject({ ...told, tools: 2 })
    const better = { failure: null, limitedUntil: null, steps: [] }
    await recordReading(store, aReading(run, { fromOffset: 200, offset: 300, ...better }))
    expect(await store.run(run.runId)).toMatchObject(better)
  })

  test('only a session id that is new is told', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const before = await store.lastSeq()
    for (const [fromOffset, sessionId] of [
      [0, undefined],
      [1, 'first'],
      [2, 'first'],
      [3, 'second'],
    ] as const)
      await recordReading(store, aReading(run, { fromOffset, offset: fromOffset + 1, sessionId }))
    expect((await store.events(before, 10)).map(({ kind, data }) => [kind, data])).toEqual([
      ['agent_session', { session_id: 'first', run_id: run.runId }],
      ['agent_session', { session_id: 'second', run_id: run.runId }],
    ])
  })

  test('a refused session id is told, and voids the one that was known', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    await recordReading(store, aReading(run, { fromOffset: 0, offset: 1, sessionId: 'known' }))
    const before = await store.lastSeq()
    await recordReading(store, aReading(run, { fromOffset: 1, offset: 2, refusedSession: '--last' }))
    expect(await store.task(run.id)).toMatchObject({ sessionId: null })
    expect(await store.run(run.runId)).toMatchObject({ sessionRefused: 1 })
    expect(await store.events(before, 10)).toMatchObject([
      { kind: 'session_refused', taskId: run.id, data: { session_id: '--last', run_id: run.runId } },
    ])
  })

  test('lines that were read already do not count twice', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const reading = aReading(run, { tokensIn: 10, tools: 1, progress: 1, sessionId: 'session-1' })
    const outcomes = await Promise.allSettled([recordReading(store, reading), recordReading(store, reading)])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'TRANSITION_CONFLICT' },
    })
    expect(await store.task(run.id)).toMatchObject({ tokensIn: 10 })
    expect(await store.run(run.runId)).toMatchObject({ tools: 1, progress: 1 })
    const before = await everything(store)
    await rejectsWith(recordReading(store, { ...reading, sessionId: 'other' }), 'TRANSITION_CONFLICT')
    expect(await everything(store)).toEqual(before)
  })

  test('what hooks blocked is kept in order, the latest hundred, each cut to 300 characters', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const long = `${'x'.repeat(299)}🙂 and more`
    await recordReading(store, aReading(run, { blocked: ['Bash: "rm"\0', long] }))
    await recordReading(store, aReading(run, { fromOffset: 100, offset: 200 }))
    const { hookViolations } = (await store.task(run.id))!
    expect(hookViolations).toEqual(['Bash: "rm"\0', 'x'.repeat(299)])
    const many = Array.from({ length: 99 }, (_, index) => `Write: ${index}`)
    await recordReading(store, aReading(run, { fromOffset: 200, offset: 300, blocked: many }))
    expect((await store.tasks())[0]?.hookViolations).toEqual(['x'.repeat(299), ...many])
  })

  test('what the lines decided commits with them, or neither does', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const asked = { task: aMove(run.id, 'running', 'question_asked', { reason: 'which one?' }) }
    await rejectsWith(recordReading(store, aReading(run, { fromOffset: 7 }), asked), 'TRANSITION_CONFLICT')
    expect(await store.task(run.id)).toMatchObject({ status: 'running' })
    await recordReading(store, aReading(run, { tokensIn: 1 }), asked)
    expect(await store.task(run.id)).toMatchObject({ status: 'waiting_input', phase: 'asking', tokensIn: 1 })
    const again = aReading(run, { fromOffset: 100, offset: 200 })
    await rejectsWith(recordReading(store, again, asked), 'TRANSITION_CONFLICT')
    expect(await store.run(run.runId)).toMatchObject({ eventsOffset: 100 })
  })

  test('tool calls and progress add up; failure and limit stay until they are voided', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const fresh = { tools: 0, progress: 0, failure: null, limitedUntil: null, steps: [] }
    expect(await store.run(run.runId)).toMatchObject(fresh)
    const read = (fromOffset: number, over: Partial<Reading>) =>
      recordReading(store, aReading(run, { fromOffset, offset: fromOffset + 1, ...over }))
    await read(0, { tools: 2, progress: 1, failure: 'limit', limitedUntil: NOON + 9 })
    await read(1, { tools: 1, progress: 3 })
    const limited = { tools: 3, progress: 4, failure: 'limit', limitedUntil: NOON + 9 }
    expect(await store.run(run.runId)).toMatchObject(limited)
    await read(2, { failure: null, limitedUntil: null })
    expect(await store.run(run.runId)).toMatchObject({ ...fresh, tools: 3, progress: 4 })
  })

  test('the steps of a reading are all that is kept; one without any leaves them', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const first = { tool: 'Bash', detail: 'é\0 "ls"', ok: null }
    const steps = [
      { ...first, ok: false },
      { tool: 'Write', detail: '', ok: true, file: '/a/b.ts' },
    ]
    await recordReading(store, aReading(run, { steps: [first] }))
    await recordReading(store, aReading(run, { fromOffset: 100, offset: 200, steps }))
    await recordReading(store, aReading(run, { fromOffset: 200, offset: 300 }))
    expect((await store.run(run.runId))?.steps).toEqual(steps)
    await recordReading(store, aReading(run, { fromOffset: 300, offset: 400, steps: [] }))
    expect((await store.run(run.runId))?.steps).toEqual([])
  })

  test('the sum that a session tells is kept beside what is added up', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const sessionUsage = { session: 'é', tokensIn: 10, tokensOut: 5, costUsd: 0.25 }
    await recordReading(store, aReading(run, { sessionUsage }))
    await recordReading(store, aReading(run, { fromOffset: 100, offset: 200, tokensIn: 3 }))
    expect(await store.task(run.id)).toMatchObject({ sessionUsage, tokensIn: 3, tokensOut: 0 })
    expect((await store.tasks())[0]).toMatchObject({ sessionUsage })
  })
}
