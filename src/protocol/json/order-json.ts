// Owns the JSON of orders for a session, and of what they did.

import type { BarKey } from '../../domain/conversation/bar-keys.ts'
import type { OrderKind, OrderState } from '../../domain/task/order.ts'
import type { ErrorJson } from './error-json.ts'
import type { TaskJson } from './task-json.ts'

/** An order for a session, and its outcome. */
export type OrderJson = {
  id: string
  kind: OrderKind
  by: string
  at: string
  state: OrderState
  settled_at: string | null
  /** Why it was refused or came too late; null otherwise. */
  error: Pick<ErrorJson, 'code' | 'message'> | null
}
export type KillJson = { reason?: string }
/** `already_ended`: nothing was done. Answered when the processes are gone. */
export type KilledJson = { already_ended: boolean; task: TaskJson }
/** `removed`: the task as it was before. */
export type RemovedJson = { removed: TaskJson }
/** `finished`: the task has ended. If not, it ends when its turn is over or its work is verified. */
export type FinishedJson = { already_ended: boolean; finished: boolean; task: TaskJson }
/** `already_archived`: nothing was done. */
export type ArchivedJson = { already_archived: boolean; task: TaskJson }

/** Single keys, pressed one after the other in the agent's terminal. */
export type KeysJson = { keys: BarKey[] }
/** The keys reached the terminal. What the agent did with them can be seen on its screen. */
export type KeysPressedJson = { session_id: string; keys: BarKey[] }
