import { expect, test } from 'vitest'
import type { EventDraft } from '../../../src/domain/journal/events.ts'
import type { TaskFacts } from '../../../src/domain/task/task.ts'
import type { Store } from '../../../src/ports/store/store.ts'
import { anAudit } from '../../builders/audit.ts'
import { aGate } from '../../builders/gate.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { aMove } from '../../builders/move.ts'
import { aRestart, aStop } from '../../builders/orders.ts'
import { aReading } from '../../builders/reading.ts'
import type { NewPlace, Open } from '../../contract/store-contract.ts'
import { everything, expectConsistent, rejectsWith } from '../expectations.ts'
import { create, launch } from '../samples.ts'
import { markTidied, orderRestart, orderStop, recordReading } from '../writes.ts'

const stop = aStop()
const restart = aRestart({ goOn: { how: 'resume', say: 'é "go\0 on"' }, mode: 'interactive' })
const told = async (store: Store, after: number) =>
  (await store.events(after, 100)).map(({ kind, data }) => [kind, data])

export function recovery(newPlace: NewPlace) {
  const open: Open = async () => (await newPlace()).open()

  test('a restart is ordered once, told and audited', async () => {
    const store = await open()
    const { id } = await launch(store, 'one')
    const audit = anAudit({ kind: 'task_takeover', taskId: id })
    const before = await store.lastSeq()
    const won = await Promise.all([restart, restart].map((order) => orderRestart(store, id, order, audit)))
    expect(won.sort()).toEqual([false, true])
    expect(await store.task(id)).toMatchObject({ restart, stop: null, status: 'running' })
    expect((await store.tasks())[0]).toMatchObject({ restart })
    expect(await told(store, before)).toEqual([
      ['restart_ordered', { kind: 'takeover', by: 'ann', reason: 'to have a look' }],
    ])
    expect(await store.audits({ kind: 'task_takeover' })).toHaveLength(1)
  })

  test('a stop goes before a restart, and nothing is ordered for an ended task', async () => {
    const store = await open()
    const [one, two] = [await launch(store, 'one'), await launch(store, 'two')]
    expect(await orderRestart(store, one.id, restart, anAudit())).toBe(true)
    expect(await orderStop(store, one.id, stop, anAudit())).toBe(true)
    expect(await orderStop(store, two.id, stop, anAudit())).toBe(true)
    await store.commit({ task: aMove((await create(store, 'ended')).id, 'pending', 'cancelled') })
    const before = await everything(store)
    for (const id of [two.id, taskId('ended')])
      expect(await orderRestart(store, id, restart, anAudit())).toBe(false)
    await rejectsWith(orderRestart(store, taskId('none'), restart, anAudit()), 'TASK_NOT_FOUND')
    expect(await everything(store)).toEqual(before)
  })

  test('who backs off or is parked waits, those due first', async () => {
    const store = await open()
    const waiting: [name: string, event: 'backed_off' | 'parked', until: number][] = [
      ['late', 'parked', NOON + 9],
      ['soon', 'backed_off', NOON + 5],
      ['soon-too', 'parked', NOON + 5],
    ]
    for (const [name, event, until] of waiting) {
      const { id } = await launch(store, name)
      await store.commit({ task: aMove(id, 'running', event, { until }) })
    }
    await launch(store, 'working')
    await create(store, 'queued')
    expect((await store.waiting()).map(({ id, phase, until }) => [id, phase, until])).toEqual([
      [taskId('soon'), 'backing_off', NOON + 5],
      [taskId('soon-too'), 'parked', NOON + 5],
      [taskId('late'), 'parked', NOON + 9],
    ])
    await store.commit({ task: aMove(taskId('soon'), 'running', 'requeued') })
    expect((await store.waiting()).map(({ id }) => id)).toEqual(['soon-too', 'late'].map(taskId))
  })

  test('tasks that began go before new ones of their priority', async () => {
    const store = await open()
    await create(store, 'old', { createdAt: NOON - 9 })
    await create(store, 'high', { priority: 'high', createdAt: NOON + 9 })
    for (const [name, priority] of [
      ['began', 'normal'],
      ['began-low', 'low'],
    ] as const) {
      const { id } = await create(store, name, { priority, createdAt: NOON + 1 })
      await store.commit({ task: aMove(id, 'pending', 'launched', { set: { startedAt: NOON + 2 } }) })
      await store.commit({ task: aMove(id, 'running', 'requeued') })
    }
    const order = ['high', 'began', 'old', 'began-low'].map(taskId)
    expect((await store.queue(9)).map(({ id }) => id)).toEqual(order)
    expect((await store.queue(2)).map(({ id }) => id)).toEqual(order.slice(0, 2))
  })

  test('a gate is closed with the move that found it, closed for longer, and opened once', async () => {
    const store = await open()
    const { id } = await launch(store, 'one')
    const [late, early] = [aGate({ key: 'a', until: NOON + 90_000 }), aGate({ key: 'b', kind: 'breaker' })]
    await store.commit({ task: aMove(id, 'running', 'parked', { gate: 'a' }), gate: late })
    await store.commit({ gate: early })
    expect(await store.gates()).toEqual([early, late])
    expect(await store.task(id)).toMatchObject({ phase: 'parked', gate: 'a' })
    const longer = aGate({
      key: 'a',
      until: NOON + 30_000,
      tries: 1,
      canary: id,
      reason: 'still',
      failed: [{ id, asCanary: 2 }],
    })
    await store.commit({ gate: longer })
    expect(await store.gates()).toEqual([longer, early])
    const before = await store.lastSeq()
    for (const openGate of ['a', 'a', 'never closed']) await store.commit({ openGate })
    expect(await store.gates()).toEqual([early])
    expect(await told(store, before)).toEqual([['gate_opened', { key: 'a' }]])
  })

  test('a gate is closed and opened with its change, or not at all', async () => {
    const store = await open()
    const { id } = await launch(store, 'one')
    await store.commit({ gate: aGate({ key: 'closed' }) })
    const before = await everything(store)
    const late = { task: aMove(id, 'pending', 'launched') }
    await rejectsWith(store.commit({ ...late, gate: aGate({ key: 'new' }) }), 'TRANSITION_CONFLICT')
    await rejectsWith(store.commit({ ...late, openGate: 'closed' }), 'TRANSITION_CONFLICT')
    expect(await everything(store)).toEqual(before)
  })

  test('each node has its own gates and its own waiting tasks', async () => {
    const place = await newPlace()
    const [a, b] = [await place.open('node-a'), await place.open('node-b')]
    const [ofA, ofB] = [aGate({ key: 'same' }), aGate({ key: 'same', reason: 'of b' })]
    const { id } = await launch(a, 'one')
    await a.commit({ gate: ofA, task: aMove(id, 'running', 'parked') })
    await b.commit({ gate: ofB })
    expect([await a.gates(), await b.gates()]).toEqual([[ofA], [ofB]])
    expect([await a.waiting(), await b.waiting()]).toMatchObject([[{ id }], []])
    await b.commit({ openGate: 'same' })
    expect([await a.gates(), await b.gates()]).toEqual([[ofA], []])
  })

  test('a fact is told with the move it belongs to, or not at all', async () => {
    const store = await open()
    const { id } = await launch(store, 'one')
    const before = await everything(store)
    const event: EventDraft = { at: NOON, kind: 'escalation', taskId: id, data: { reason: 'stuck' } }
    await rejectsWith(store.commit({ task: aMove(id, 'pending', 'failed'), event }), 'TRANSITION_CONFLICT')
    expect(await everything(store)).toEqual(before)
    await store.commit({ task: aMove(id, 'running', 'escalated'), event })
    expect(await store.events(before.lastSeq, 9)).toMatchObject([
      { kind: 'task_escalated', taskId: id },
      { kind: 'escalation', taskId: id, data: { reason: 'stuck' } },
    ])
  })

  test('what a move sets stays with the next ones, and is taken away by null', async () => {
    const store = await open()
    const { id } = await launch(store, 'one')
    const set = {
      retries: 3,
      mode: 'interactive',
      restart,
      stop,
      verification: { verified: false, rounds: 1, fingerprint: 'f', failures: ['no\0 file'], at: NOON },
    } as const satisfies Partial<TaskFacts>
    await store.commit({ task: aMove(id, 'running', 'verifying', { set }) })
    expect(await store.task(id)).toMatchObject({ phase: 'verifying', ...set })
    await store.commit({ task: aMove(id, 'running', 'requeued') })
    expect(await store.task(id)).toMatchObject({ status: 'pending', ...set })
    const none = { restart: null, stop: null, verification: null }
    await store.commit({ task: aMove(id, 'pending', 'launched', { set: { ...none, retries: 0 } }) })
    expect(await store.task(id)).toMatchObject({ ...none, retries: 0, mode: 'interactive' })
  })

  test.each(['completed', 'failed', 'cancelled'] as const)(
    'a task that is %s can be reopened: queued, counted, to be tidied again, with what its end left taken away',
    async (status) => {
      const store = await open()
      const run = await launch(store, 'one')
      await recordReading(store, aReading(run, { tokensIn: 7, sessionId: 'session-1' }))
      await orderRestart(store, run.id, restart, anAudit())
      await orderStop(store, run.id, stop, anAudit())
      const ended = { endedAt: NOON + 5, exitCode: 1, exitSignal: 'KILL' }
      await store.commit({ task: aMove(run.id, 'running', status, { set: ended }) })
      await markTidied(store, run.id)
      const set = { endedAt: null, exitCode: null, exitSignal: null, stop: null, restart: null, retries: 0 }
      await store.commit({ task: aMove(run.id, status, 'reopened', { set }) })
      const kept = { runId: run.runId, sessionId: 'session-1', tokensIn: 7 }
      expect(await store.task(run.id)).toMatchObject({ status: 'pending', phase: 'queued', ...set, ...kept })
      expect(await store.counts()).toMatchObject({ pending: 1, running: 0, [status]: 0 })
      expect((await store.queue(9)).map(({ id }) => id)).toEqual([run.id])
      expect(await orderStop(store, run.id, stop, anAudit())).toBe(true)
      await store.commit({ task: aMove(run.id, 'pending', 'cancelled') })
      expect(await store.untidied()).toEqual([run.id])
      await expectConsistent(store)
    },
  )
}
