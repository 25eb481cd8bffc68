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

test.each<[OrderKind, Found, { version: number; tookEffect: 0 | 1 }, 'done' | 'again' | 'too_late']>([
  ['kill', {}, { version: 4, tookEffect: 0 }, 'again'],
  ['kill', { status: 'cancelled' }, { version: 4, tookEffect: 0 }, 'done'],
  ['archive', { status: 'completed' }, { version: 3, tookEffect: 0 }, 'again'],
  ['archive', { status: 'completed', archivedAt: 1 }, { version: 3, tookEffect: 0 }, 'done'],
  ['finish', {}, { version: 3, tookEffect: 0 }, 'again'],
  ['resume', {}, { version: 3, tookEffect: 0 }, 'again'],
  ['resume', {}, { version: 4, tookEffect: 1 }, 'done'],
  ['retry', {}, { version: 4, tookEffect: 1 }, 'done'],
  ['takeover', { restart: {} }, { version: 3, tookEffect: 1 }, 'done'],
  ['takeover', {}, { version: 4, tookEffect: 0 }, 'too_late'],
  ['unpark', {}, { version: 3, tookEffect: 0 }, 'again'],
])('%s of a task %j with traces %j, found begun: %s', (kind, task, { version, tookEffect }, wanted) => {
  expect(afterCrash({ ...order(kind), tookEffect }, found(task), version)).toBe(wanted)
})
