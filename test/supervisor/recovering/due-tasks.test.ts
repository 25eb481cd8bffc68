import { expect, test } from 'vitest'
import { asTaskId } from '../../../src/domain/names/ids.ts'
import type { TimedState } from '../../../src/domain/task/state.ts'
import type { Gate } from '../../../src/ports/store/gates.ts'
import {
  nextWake,
  planWaking,
  type Queued,
  type Waiter,
  type WakeFacts,
} from '../../../src/supervisor/recovering/due-tasks.ts'
import { heldBack } from '../../../src/supervisor/recovering/gates.ts'
import { aGate } from '../../builders/gate.ts'
import { inPhase } from '../../builders/phases.ts'

const NOW = 1_000_000
const [a, b, c] = ['a', 'b', 'c'].map(asTaskId) as [ReturnType<typeof asTaskId>, never, never]
const gate = (changes: Partial<Gate> = {}) => aGate({ since: NOW - 100, until: NOW, ...changes })
const waiter = (
  id: Waiter['id'],
  standing: TimedState = inPhase.parked({ until: NOW, gate: gate().key }),
): Waiter => ({ ...standing, id, account: 'me' })
const queuedTask = (id: Queued['id'], account = 'me'): Queued => ({ ...inPhase.queued(), id, account })
const plan = (over: Partial<WakeFacts>) =>
  planWaking({
    now: NOW,
    minuteOfDay: 12 * 60,
    quietHours: null,
    shortestBackoffMs: 5_000,
    longestBackoffMs: 600_000,
    longestPauseMs: () => 600_000,
    waiting: [],
    queued: [],
    gates: [],
    canary: () => 'gone',
    ...over,
  })

test('a pause that is over ends, one that is not goes on', () => {
  const waiting = [
    waiter(a, inPhase.backingOff({ until: NOW })),
    waiter(b, inPhase.backingOff({ until: NOW + 1 })),
  ]
  expect(plan({ waiting }).go.map(({ id }) => id)).toEqual([a])
})

test('one that was parked goes on because its time is over, whatever it was parked for', () => {
  const waiting = [waiter(a, inPhase.parked({ until: NOW })), waiter(b, inPhase.backingOff({ until: NOW }))]
  expect(plan({ waiting }).go).toEqual([
    { id: a, why: 'the time for which it was parked is over' },
    { id: b, why: 'its pause is over' },
  ])
})

test('a clock that was set back keeps nobody waiting longer than the longest pause', () => {
  const late = { until: NOW + 7_200_000 }
  expect(plan({ waiting: [waiter(a, inPhase.backingOff(late))] }).go).toHaveLength(1)
  expect(plan({ waiting: [waiter(a, inPhase.parked(late))] }).go).toEqual([])
})

test('a wait that the task’s own settings allow is no sign of a clock set back', () => {
  const until = NOW + 7_200_000
  const longestPauseMs = (of: readonly Waiter['id'][]) => (of.includes(a) ? 5 * 3_600_000 : 600_000)
  const backsOff = (id: Waiter['id']) => waiter(id, inPhase.backingOff({ until }))
  const waiting = [backsOff(a), backsOff(b)]
  expect(plan({ waiting, longestPauseMs }).go.map(({ id }) => id)).toEqual([b])
  const closedBy = (id: Waiter['id']) => ({
    waiting: [waiter(c, inPhase.parked({ until, gate: 'breaker:me' }))],
    gates: [gate({ key: 'breaker:me', kind: 'breaker', until, failed: [{ id, asCanary: 0 }] })],
    longestPauseMs,
  })
  expect(plan(closedBy(a)).go).toEqual([])
  expect(plan(closedBy(b)).go).toHaveLength(1)
})

test('behind a gate that is due, one goes first and the rest wait', () => {
  const planned = plan({ waiting: [waiter(a), waiter(b)], gates: [gate()] })
  expect(planned).toMatchObject({ go: [{ id: a }], follow: [], open: [], change: [{ canary: a }] })
})

test('before the time of a gate nobody behind it goes', () => {
  const planned = plan({ waiting: [waiter(a)], gates: [gate({ until: NOW + 1 })] })
  expect(planned).toEqual({ go: [], follow: [], open: [], change: [] })
})

test.each([
  ['trying', { open: [], follow: [], change: [] }],
  ['makes_progress', { open: ['limit:me'], follow: [b], change: [] }],
  ['gone', { open: [], follow: [], change: [{ canary: b, tries: 0, failed: [] }], go: [{ id: b }] }],
  [
    'failed',
    { open: [], follow: [], change: [{ canary: null, tries: 1, failed: [{ id: a, asCanary: 1 }] }] },
  ],
] as const)(
  'behind a gate whose canary is %s, the others wait, follow or try in its place',
  (canary, expected) => {
    expect(plan({ waiting: [waiter(b)], gates: [gate({ canary: a })], canary: () => canary })).toMatchObject(
      expected,
    )
  },
)

test('one task’s word on the network holds nobody but itself; two are believed', () => {
  const broken = { key: 'environment', kind: 'environment', until: NOW + 1e5 } as const
  const waiting = [waiter(a, inPhase.parked({ until: NOW + 1e5, gate: broken.key }))]
  const queued = [queuedTask(c, 'other')]
  const first = (...failed: Waiter['id'][]) =>
    plan({
      waiting,
      queued,
      gates: [gate({ ...broken, failed: failed.map((id) => ({ id, asCanary: 0 })) })],
    }).change[0]?.canary
  expect([first(a), first(a, b), first(c)]).toEqual([c, undefined, a])
})

test('who tried in vain goes behind all that wait, also those that have not begun, the latest last', () => {
  const queued = [queuedTask(c)]
  const first = (failed: Gate['failed']) =>
    plan({ waiting: [waiter(a), waiter(b)], queued, gates: [gate({ failed })] }).change[0]!.canary
  const asCanary = 1
  expect(first([])).toBe(a)
  expect(first([{ id: a, asCanary }])).toBe(b)
  expect(first([a, b].map((id) => ({ id, asCanary })))).toBe(c)
  expect(first([b, c, a].map((id) => ({ id, asCanary })))).toBe(b)
})

test.each(['gone', 'failed', 'makes_progress'] as const)(
  'a gate goes with the last of its tasks, its canary %s',
  (canary) => {
    expect(plan({ gates: [gate({ canary: a, until: NOW + 1e6 })], canary: () => canary })).toMatchObject({
      open: ['limit:me'],
      change: [],
    })
  },
)

test('a gate that nobody waits behind opens; a queued task of its account may be the one that tries', () => {
  expect(plan({ gates: [gate()] }).open).toEqual(['limit:me'])
  const queued = [queuedTask(c)]
  expect(plan({ gates: [gate()], queued })).toMatchObject({ go: [], open: [], change: [{ canary: c }] })
})

test('a gate that a person opened lets everybody go', () => {
  expect(plan({ waiting: [waiter(a), waiter(b)] }).follow).toEqual([a, b])
})

test('quiet hours keep parked tasks asleep, also over midnight, and no others', () => {
  const waiting = [waiter(a, inPhase.parked({ until: NOW })), waiter(b, inPhase.backingOff({ until: NOW }))]
  const at = (minuteOfDay: number) =>
    plan({ waiting, minuteOfDay, quietHours: '22:00-07:00' }).go.map(({ id }) => id)
  expect(at(23 * 60)).toEqual([b])
  expect(at(6 * 60 + 59)).toEqual([b])
  expect(at(7 * 60)).toEqual([a, b])
  const held = { waiting: [waiter(a)], gates: [gate()], quietHours: '00:00-23:59' }
  expect(plan(held)).toMatchObject({ go: [], change: [] })
})

test('the next look is at the next time somebody waits for', () => {
  const waiting = [waiter(a, inPhase.parked({ until: NOW + 9 })), waiter(b)]
  expect(nextWake({ waiting, gates: [gate({ until: NOW + 5 })], now: NOW })).toBe(NOW + 5)
  expect(nextWake({ waiting: [], gates: [gate({ canary: a })], now: NOW })).toBeNull()
})

test('a limit holds its account, a broken environment everybody, and neither its canary', () => {
  const mine = { id: a, account: 'me' }
  const other = { id: b, account: 'you' }
  expect([mine, other].map(heldBack([gate()]))).toEqual([true, false])
  expect([mine, other].map(heldBack([gate({ key: 'environment', kind: 'environment', canary: b })]))).toEqual(
    [true, false],
  )
})
