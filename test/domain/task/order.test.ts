import { expect, test } from 'vitest'
import { ORDER_KINDS, type OrderKind, tookEffect, whyTooLate } from '../../../src/domain/task/order.ts'
import { anOrder, aRestart } from '../../builders/orders.ts'
import { ended, inPhase } from '../../builders/phases.ts'
import { aTask } from '../../builders/task.ts'

const order = (kind: OrderKind) => anOrder({ kind, version: 3, expiresAt: 100 })

test.each(ORDER_KINDS.filter((kind) => kind !== 'kill'))('%s expires', (kind) => {
  expect(whyTooLate(order(kind), 3, 100)).toBeNull()
  expect(whyTooLate(order(kind), 3, 101)).toBe('it was given too long ago')
})

test('a kill never expires', () => {
  expect(whyTooLate(order('kill'), 3, 101)).toBeNull()
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

test.each<[OrderKind, Found, 0 | 1, boolean]>([
  ['kill', {}, 0, false],
  ['kill', { status: 'cancelled' }, 0, true],
  ['archive', { status: 'completed' }, 0, false],
  ['archive', { status: 'completed', archivedAt: 1 }, 0, true],
  ['finish', {}, 0, false],
  ['resume', {}, 0, false],
  ['resume', {}, 1, true],
  ['retry', {}, 1, true],
  ['takeover', { restart: {} }, 1, true],
  ['takeover', { restart: {} }, 0, false],
  ['unpark', {}, 0, false],
])('%s of a task %j with the mark %i, found begun, took effect: %s', (kind, task, mark, wanted) => {
  expect(tookEffect({ ...order(kind), tookEffect: mark }, found(task))).toBe(wanted)
})
