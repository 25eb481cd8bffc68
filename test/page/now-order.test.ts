// In which order the first screen shows what needs a person, and what waits.
import { expect, test } from 'vitest'
import type { OpenQuestionJson } from '../../src/protocol/json/recovery-json.ts'
import type { ListedTaskJson } from '../../src/protocol/json/task-json.ts'
import { needsOf } from '../../web/src/screens/now/needs.ts'
import { inWaitingOrder, untilOf } from '../../web/src/screens/now/waiting-order.ts'
import { aTaskJson } from '../builders/task-json.ts'

const at = (minute: number) => `2025-11-18T15:${String(minute).padStart(2, '0')}:00Z`

test('who waits longest for an answer stands first, and what a person stopped last', () => {
  const asks = (id: string, minute: number) =>
    ({ session_id: id, number: 1, asked_at: at(minute), asked_by: 'agent' }) as OpenQuestionJson
  const stopped = aTaskJson({
    ...{ session_id: 'stopped', task_status: 'waiting_input', phase: 'stopped_by_person' },
    started_at: at(0),
  })
  const needs = needsOf([stopped], [asks('late', 30), asks('early', 10)], [], [])
  expect(needs.map(({ id }) => id)).toEqual(['early', 'late', 'stopped'])
})

const waits = (id: string, changes: Partial<ListedTaskJson>) =>
  aTaskJson({ session_id: id, task_status: 'pending', phase: 'queued', started_at: null, ...changes })

test('of those that wait for a slot the next one stands first, then who goes on soonest, then who knows no time', () => {
  const tasks = [
    waits('idle', { task_status: 'running', phase: 'idle' }),
    waits('limit, later', { phase: 'parked', waits_for: 'limit', waits_until: at(50) }),
    waits('limit, queued', { waits_for: 'limit', waits_until: at(40), created_at: at(5) }),
    waits('limit, first', { phase: 'parked', waits_for: 'limit', waits_until: at(40), created_at: at(1) }),
    waits('third', { created_at: at(9) }),
    waits('second', { created_at: at(8) }),
    waits('begun before', { created_at: at(20), started_at: at(21) }),
    waits('urgent', { created_at: at(10), priority: 'high' }),
    waits('last', { created_at: at(1), priority: 'low' }),
  ]
  expect(inWaitingOrder(tasks).map(({ session_id }) => session_id)).toEqual([
    'urgent',
    'begun before',
    'second',
    'third',
    'last',
    'limit, first',
    'limit, queued',
    'limit, later',
    'idle',
  ])
})

test('behind a gate whose cause another task tests, the time at which it should have opened is not told any more', () => {
  const parked = { phase: 'parked', phase_until: at(40) } as const
  expect(untilOf(waits('one', { ...parked, waits_for: 'environment', waits_until: null }))).toBe(null)
  expect(untilOf(waits('one', { ...parked, waits_for: 'limit', waits_until: at(45) }))).toBe(at(45))
  expect(untilOf(waits('one', { phase: 'backing_off', phase_until: at(40) }))).toBe(at(40))
})

test('of those made in the same second, the one made first stands first', () =>
  expect(
    inWaitingOrder([waits('task-10', {}), waits('task-9', {}), waits('task', {})]).map(
      ({ session_id }) => session_id,
    ),
  ).toEqual(['task', 'task-9', 'task-10']))
