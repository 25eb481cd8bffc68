import { expect, test } from 'vitest'
import { TASK_STATUSES, type TaskEvent, taskTransitions } from '../../../src/domain/task/machine.ts'
import { anAudit } from '../../builders/audit.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { aMove } from '../../builders/move.ts'
import { aStop } from '../../builders/orders.ts'
import { inPhase, stateIn } from '../../builders/phases.ts'
import { aQuestionDraft } from '../../builders/question.ts'
import { aRunDraft } from '../../builders/run.ts'
import type { Open } from '../../contract/store-contract.ts'
import { everything, expectConsistent, rejectsWith } from '../expectations.ts'
import { create, launch } from '../samples.ts'
import { markTidied, orderStop } from '../writes.ts'

export function recording(open: Open) {
  test('a move is stored with its transition, event, counters and audit row', async () => {
    const store = await open()
    const { id, runId } = await launch(store, 'one')
    const set = { endedAt: NOON + 7, exitCode: null, exitSignal: 'KILL', workedMs: 12.5 }
    const task = aMove(id, 'running', 'failed', { reason: 'it crashed', at: NOON + 7, set })
    await store.commit({ task, audit: anAudit({ kind: 'task_failed', taskId: id }) })
    expect(await store.task(id)).toMatchObject({
      status: 'failed',
      phase: null,
      reason: 'it crashed',
      runId,
      ...set,
    })
    const { evidence, reason } = task
    expect((await store.transitions(id)).at(-1)).toEqual({
      taskId: id,
      number: 3,
      event: 'failed',
      from: 'running',
      to: 'failed',
      phase: null,
      reason,
      evidence,
      runId,
      at: NOON + 7,
    })
    expect((await store.events(2, 10))[0]).toMatchObject({
      seq: 3,
      kind: 'task_failed',
      at: NOON + 7,
      data: { status: 'failed', phase: null, reason, run_id: runId },
    })
    expect(await store.counts()).toMatchObject({ pending: 0, running: 0, failed: 1 })
    expect(await store.audits({ kind: 'task_failed' })).toHaveLength(1)
  })

  test.each([
    ['backed_off', inPhase.backingOff({ until: NOON + 9 })],
    ['parked', inPhase.parked({ until: NOON + 9, gate: 'a' })],
    ['waiting_began', inPhase.waiting({ for: { kind: 'task', id: taskId('another') } })],
    ['requeued', inPhase.queued({ goOn: { how: 'fresh', say: null } })],
  ] as const)('what %s stores is there in that phase alone, and in all lists', async (event, standing) => {
    const store = await open()
    const { id } = await launch(store, 'one')
    await store.commit({ task: aMove(id, 'running', event, standing) })
    expect(stateIn(await store.task(id))).toEqual(standing)
    expect(stateIn((await store.tasks())[0])).toEqual(standing)
    const { items } = await store.rowPage({}, { after: null, most: 9, mostEnded: 9 })
    expect(stateIn(items[0])).toEqual(standing)
    await store.commit({ task: aMove(id, standing.status, 'failed') })
    expect(stateIn(await store.task(id))).toEqual({ status: 'failed', phase: null })
  })

  test('one that waits for a person knows its oldest open question', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const { id } = run
    const question = aQuestionDraft(run)
    await store.commit({ task: aMove(id, 'running', 'question_asked'), question })
    await store.commit({ question })
    expect(await store.task(id)).toMatchObject(inPhase.asking(1))
    await store.commit({ settled: { taskId: id, at: NOON, numbers: [1] } })
    expect(await store.task(id)).toMatchObject(inPhase.asking(2))
    await store.commit({ answered: { taskId: id, number: 2, answer: 'yes', by: 'me', at: NOON } })
    expect(await store.task(id)).toMatchObject(inPhase.asking(null))
    await store.commit({ task: aMove(id, 'waiting_input', 'question_settled') })
    expect(stateIn(await store.task(id))).toEqual(inPhase.working())
  })

  test('whatever the table forbids is refused and changes nothing', async () => {
    const store = await open()
    const { id } = await create(store, 'one')
    const before = await everything(store)
    const allEvents = new Set(
      Object.values(taskTransitions).flatMap((steps) => Object.keys(steps) as TaskEvent[]),
    )
    for (const from of TASK_STATUSES)
      for (const event of allEvents)
        if (taskTransitions[from][event] === undefined)
          await rejectsWith(store.commit({ task: aMove(id, from, event) }), 'INVALID_TRANSITION')
    expect(await everything(store)).toEqual(before)
  })

  test('a legal step from a status the task does not have is refused and changes nothing', async () => {
    const store = await open()
    const { id } = await launch(store, 'one')
    const before = await everything(store)
    const audit = anAudit({ kind: 'task_stuck' })
    await rejectsWith(store.commit({ task: aMove(id, 'pending', 'cancelled'), audit }), 'TRANSITION_CONFLICT')
    expect(await everything(store)).toEqual(before)
  })

  test('of two who race for the same transition, one wins and the other is told', async () => {
    const store = await open()
    for (let round = 0; round < 5; round++) {
      const { id } = await create(store, `race-${round}`)
      const racers = ['launched', 'cancelled'] as const
      const outcomes = await Promise.allSettled(
        racers.map((event) => store.commit({ task: aMove(id, 'pending', event) })),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'TRANSITION_CONFLICT' },
      })
      expect(await store.transitions(id)).toHaveLength(2)
    }
    await expectConsistent(store)
  })

  test('a change is written whole or not at all', async () => {
    const store = await open()
    const { id, runId } = await launch(store, 'one')
    const before = await everything(store)
    const legal = { task: aMove(id, 'running', 'agent_started'), audit: anAudit({ kind: 'task_parked' }) }
    const late = { id: runId, from: 'live', event: 'exited' } as const
    const illegal = { id: runId, from: 'exited', event: 'started' } as const
    await rejectsWith(store.commit({ ...legal, run: late }), 'TRANSITION_CONFLICT')
    await rejectsWith(store.commit({ ...legal, run: illegal }), 'INVALID_TRANSITION')
    await rejectsWith(store.commit({ ...legal, newRun: aRunDraft(id, { number: 1 }) }), 'TRANSITION_CONFLICT')
    expect(await everything(store)).toEqual(before)
  })

  test('moving a task that does not exist says so', async () => {
    const store = await open()
    await rejectsWith(store.commit({ task: aMove(taskId('none'), 'pending', 'launched') }), 'TASK_NOT_FOUND')
  })

  test('a stop is ordered once', async () => {
    const store = await open()
    const { id } = await launch(store, 'one')
    const order = aStop()
    const audit = anAudit({ kind: 'kill_ordered', taskId: id })
    expect(await orderStop(store, id, order, audit)).toBe(true)
    expect(await orderStop(store, id, { ...order, kind: 'timeout', by: 'holdfast' }, audit)).toBe(false)
    expect(await store.task(id)).toMatchObject({ stop: order, status: 'running' })
    expect(await store.audits({ kind: 'kill_ordered' })).toHaveLength(1)
    expect((await store.events(0, 10, id)).at(-1)).toMatchObject({
      kind: 'stop_ordered',
      at: NOON + 3,
      data: { kind: 'kill', by: 'ann', reason: 'wrong branch' },
    })
    await rejectsWith(orderStop(store, taskId('none'), order, audit), 'TASK_NOT_FOUND')
    await store.commit({ task: aMove((await create(store, 'ended')).id, 'pending', 'cancelled') })
    expect(await orderStop(store, taskId('ended'), order, audit)).toBe(false)
  })

  test('ended tasks are to be tidied until they are marked', async () => {
    const store = await open()
    for (const name of ['b', 'a', 'unfinished']) await create(store, name)
    for (const name of ['b', 'a']) await store.commit({ task: aMove(taskId(name), 'pending', 'cancelled') })
    expect(await store.untidied()).toEqual(['a', 'b'].map(taskId))
    await markTidied(store, taskId('b'))
    await markTidied(store, taskId('unfinished'))
    expect(await store.untidied()).toEqual([taskId('a')])
    await store.commit({ task: aMove(taskId('unfinished'), 'pending', 'failed') })
    expect(await store.untidied()).toEqual(['a', 'unfinished'].map(taskId))
  })
}
