// Owns orders: what somebody wants of a task, stored before it is done. `send` and `answer` have their inputs instead.
import type { HoldfastError } from '../errors.ts'
import type { OrderId, RunId, TaskId } from '../names/ids.ts'
import { isEnded } from './machine.ts'
import type { Task } from './task.ts'

export const ORDER_KINDS = [
  'kill',
  'finish',
  'resume',
  'retry',
  'takeover',
  'handback',
  'unpark',
  'archive',
] as const
export type OrderKind = (typeof ORDER_KINDS)[number]

/** `placed`: its node has not begun with it. `refused`: it could not be done. `too_late`: it no longer fitted. */
export type OrderState = 'placed' | 'begun' | 'done' | 'refused' | 'too_late'

export type OrderDraft = {
  readonly id: OrderId
  readonly taskId: TaskId
  readonly kind: OrderKind
  readonly by: string
  readonly at: number
  /** Of who gave it: the same key is the same order. */
  readonly key: string | null
  /** Why it is ended, or what it is told; null where nothing is said. */
  readonly words: string | null
  readonly expiresAt: number
}

export type Order = OrderDraft & {
  readonly state: OrderState
  /** The task's version, and its run, when the order was given. */
  readonly version: number
  readonly runId: RunId | null
  readonly settledAt: number | null
  readonly outcome: OrderOutcome | null
}

/** `acted`: false when there was nothing to do any more. */
export type OrderOutcome = { readonly acted: boolean } | Pick<HoldfastError, 'code' | 'message' | 'waysOut'>

export const isSettled = ({ state }: Order) => state !== 'placed' && state !== 'begun'

/** Whatever else happens to the task, these still make sense. */
const ALWAYS_FIT: ReadonlySet<OrderKind> = new Set(['kill', 'finish', 'archive'])

/** Why an order that is about to begin is too late; null when it fits. */
export function whyTooLate(order: Order, version: number, now: number): string | null {
  if (now > order.expiresAt) return 'it was given too long ago'
  const hasMoved = version !== order.version && !ALWAYS_FIT.has(order.kind)
  return hasMoved ? 'the task has moved on since the order was given' : null
}

/** Of an order that a daemon had begun with when it died: `done` when its effect is there, else it is done now. */
export function afterCrash(order: Order, task: Task, version: number): 'done' | 'again' {
  switch (order.kind) {
    case 'kill':
      return isEnded(task.status) ? 'done' : 'again'
    case 'archive':
      return task.archivedAt === null ? 'again' : 'done'
    // Giving it twice is the same as once.
    case 'finish':
      return 'again'
    default:
      return version === order.version && task.restart === null ? 'again' : 'done'
  }
}
