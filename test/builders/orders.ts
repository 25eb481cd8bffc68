import { asOrderId, type TaskId } from '../../src/domain/names/ids.ts'
import type { RestartOrder } from '../../src/domain/task/go-on.ts'
import type { Order, OrderDraft } from '../../src/domain/task/order.ts'
import type { StopOrder } from '../../src/domain/task/task.ts'
import { NOON, TASK_ID } from './ids.ts'

/** An order that was begun, with what the test cares about changed. */
export const anOrder = (changes: Partial<Order> = {}): Order => ({
  ...anOrderDraft(TASK_ID),
  state: 'begun',
  version: 3,
  runId: null,
  settledAt: null,
  tookEffect: 0,
  outcome: null,
  ...changes,
})

/** An order to this task as it is first written. */
export const anOrderDraft = (taskId: TaskId, changes: Partial<OrderDraft> = {}): OrderDraft => ({
  id: asOrderId(`order-of-${taskId}`),
  taskId,
  kind: 'resume',
  by: 'ada',
  at: NOON,
  key: null,
  words: 'go on',
  expiresAt: NOON + 9,
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
