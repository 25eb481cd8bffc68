// Owns orders: what somebody wants of a task, stored before it is carried out. `send` and `answer` are stored as inputs.
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

/** `placed`: waits for its turn. `refused`: could not be done. `too_late`: expired, or the task has changed in the meantime. */
export type OrderState = 'placed' | 'begun' | 'done' | 'refused' | 'too_late'

export type OrderDraft = {
  readonly id: OrderId
  readonly taskId: TaskId
  readonly kind: OrderKind
  readonly by: string
  /** Epoch ms when the order was given. */
  readonly at: number
  /** Chosen by whoever gives the order: a second order with the same key is the same order. */
  readonly key: string | null
  /** Why the task is ended, or what its agent is told; null for an order without words. */
  readonly words: string | null
  /** Epoch ms. */
  readonly expiresAt: number
}

export type Order = OrderDraft & {
  readonly state: OrderState
  /** The task's version when the order was given. */
  readonly version: number
  /** The task's run when the order was given. */
  readonly runId: RunId | null
  readonly settledAt: number | null
  /** 1 from the commit on in which it took effect, whatever became of the daemon then. */
  readonly tookEffect: 0 | 1
  readonly outcome: OrderOutcome | null
}

/** `acted`: false when nothing was left to do. Otherwise the error with which the order was refused. */
export type OrderOutcome = { readonly acted: boolean } | Pick<HoldfastError, 'code' | 'message' | 'waysOut'>

export const isSettled = ({ state }: Order) => state !== 'placed' && state !== 'begun'

/** Orders that still make sense after the task has changed. */
const ALWAYS_FIT: ReadonlySet<OrderKind> = new Set(['kill', 'finish', 'archive'])

const MOVED_ON = 'the task has moved on since the order was given'

/**
 * Why an order that is about to begin is too late; null when it is not. A kill is never: whoever ended a task does not want
 * to find it at work days later.
 */
export function whyTooLate(order: Order, version: number, now: number): string | null {
  if (now > order.expiresAt && order.kind !== 'kill') return 'it was given too long ago'
  const hasMoved = version !== order.version && !ALWAYS_FIT.has(order.kind)
  return hasMoved ? MOVED_ON : null
}

/** For an order that a daemon had begun when it died: true when its effect is there, so that it is not carried out again. */
export function tookEffect(order: Order, task: Task): boolean {
  switch (order.kind) {
    case 'kill':
      return isEnded(task.status)
    case 'archive':
      return task.archivedAt !== null
    // Carrying out a finish twice has the same effect as once.
    case 'finish':
      return false
    default:
      return order.tookEffect === 1
  }
}
