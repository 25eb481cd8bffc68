import { expect, test } from 'vitest'
import { afterCrash, ORDER_KINDS, type OrderKind, whyTooLate } from '../../../src/domain/task/order.ts'
import { anOrder, aRestart } from '../../builders/orders.ts'
import { ended, inPhase } from '../../builders/phases.ts'
import { aTask } from '../../builders/task.ts'

const order = (kind: OrderKind) => anOrder({ kind, version: 3, expiresAt: 100 })

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

type Found = { status?: keyof typeof ended; archivedAt?: number; restart?: object }
const found = ({ status, archivedAt, restart }: Found) =>
  aTask(status === undefined ? inPhase.working() : ended[status](), {
    archivedAt: archivedAt ?? null,
    restart: restart === undefined ? null : aRestart(),
  })

test.each<[OrderKind, Found, number, 'done' | 'again']>([
  ['kill', {}, 4, 'again'],
  ['kill', { status: 'cancelled' }, 4, 'done'],
  ['archive', { status: 'completed' }, 3, 'again'],
  ['archive', { status: 'completed', archivedAt: 1 }, 3, 'done'],
  ['finish', {}, 3, 'again'],
  ['resume', {}, 3, 'again'],
  ['resume', {}, 4, 'done'],
  ['retry', {}, 4, 'done'],
  ['takeover', { restart: {} }, 3, 'done'],
  ['unpark', {}, 3, 'again'],
])('%s of a task %j at version %i, found begun: %s', (kind, task, version, wanted) => {
  expect(afterCrash(order(kind), found(task), version)).toBe(wanted)
})
