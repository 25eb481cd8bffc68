import { expect, test } from 'vitest'
import { asOrderId, asTaskId } from '../../../src/domain/names/ids.ts'
import {
  afterCrash,
  ORDER_KINDS,
  type Order,
  type OrderKind,
  whyTooLate,
} from '../../../src/domain/task/order.ts'
import type { Task } from '../../../src/domain/task/task.ts'

const order = (kind: OrderKind): Order => ({
  id: asOrderId('o'),
  taskId: asTaskId('t'),
  kind,
  by: 'ada',
  at: 0,
  key: null,
  words: null,
  expiresAt: 100,
  state: 'begun',
  version: 3,
  runId: null,
  settledAt: null,
  outcome: null,
})
const task = (over: Partial<Task> = {}) =>
  ({ status: 'running', restart: null, archivedAt: null, ...over }) as Task

test.each(ORDER_KINDS)('%s fits the task it was given for, for a day', (kind) => {
  expect(whyTooLate(order(kind), 3, 100)).toBeNull()
  expect(whyTooLate(order(kind), 3, 101)).toBe('it was given too long ago')
})

test.each(['resume', 'retry', 'takeover', 'handback', 'unpark'] as const)(
  '%s is too late when the task has moved on',
  (kind) => {
    expect(whyTooLate(order(kind), 4, 0)).toBe('the task has moved on since the order was given')
  },
)

test.each(['kill', 'finish', 'archive'] as const)('%s fits however the task has moved on', (kind) => {
  expect(whyTooLate(order(kind), 4, 0)).toBeNull()
})

test.each<[OrderKind, Partial<Task>, number, 'done' | 'again']>([
  ['kill', {}, 4, 'again'],
  ['kill', { status: 'cancelled' }, 4, 'done'],
  ['archive', { status: 'completed' }, 3, 'again'],
  ['archive', { status: 'completed', archivedAt: 1 }, 3, 'done'],
  ['finish', {}, 3, 'again'],
  ['resume', {}, 3, 'again'],
  ['resume', {}, 4, 'done'],
  ['retry', {}, 4, 'done'],
  ['takeover', { restart: {} as Task['restart'] }, 3, 'done'],
  ['unpark', {}, 3, 'again'],
])('%s of a task %j at version %i, found begun: %s', (kind, over, version, wanted) => {
  expect(afterCrash(order(kind), task(over), version)).toBe(wanted)
})
