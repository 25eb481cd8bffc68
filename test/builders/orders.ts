import { asOrderId } from '../../src/domain/names/ids.ts'
import type { RestartOrder } from '../../src/domain/task/go-on.ts'
import type { Order } from '../../src/domain/task/order.ts'
import type { StopOrder } from '../../src/domain/task/task.ts'
import { NOON, TASK_ID } from './ids.ts'

/** A kill that was begun, with what the test cares about changed. */
export const anOrder = (changes: Partial<Order> = {}): Order => ({
  id: asOrderId('o'),
  taskId: TASK_ID,
  kind: 'kill',
  by: 'ada',
  at: NOON,
  key: null,
  words: null,
  expiresAt: NOON + 100,
  state: 'begun',
  version: 3,
  runId: null,
  settledAt: null,
  outcome: null,
  ...changes,
})

export const aStop = (changes: Partial<StopOrder> = {}): StopOrder => ({
  kind: 'kill',
  by: 'ann',
  reason: 'wrong branch',
  at: NOON + 3,
  ...changes,
})

export const aRestart = (changes: Partial<RestartOrder> = {}): RestartOrder => ({
  kind: 'takeover',
  by: 'ann',
  reason: 'to have a look',
  at: NOON + 3,
  goOn: null,
  mode: null,
  ...changes,
})
