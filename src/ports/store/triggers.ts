// Owns how triggers are written and read: prompts that somebody sent, and what became of them.

import type { TaskId, TriggerId } from '../../domain/names/ids.ts'
import type { Evidence } from '../../domain/task/evidence.ts'
import type { Input, Trigger, TriggerStep } from '../../domain/task/input.ts'
import type { AckWay } from '../../domain/trigger/acknowledgement.ts'
import type { TriggerCode } from '../../domain/trigger/codes.ts'
import type { TriggerState } from '../../domain/trigger/machine.ts'

export type TriggerFilter = {
  readonly thread?: string
  readonly taskId?: TaskId
  readonly state?: TriggerState
  /** Only those that come after this one in the list. */
  readonly after?: TriggerPlace
  readonly limit: number
}

/** Where a trigger stands in lists: `at` is epoch ms. */
export type TriggerPlace = { readonly at: number; readonly id: TriggerId }

/** One prompt that counts for the limits: of which thread, on whose behalf, and when (epoch ms) it was queued. */
export type Wake = { readonly thread: string | null; readonly by: string; readonly at: number }

export interface TriggerReads {
  trigger(id: TriggerId): Promise<Trigger | undefined>
  /** The one that this key names for the task. */
  triggerWithKey(taskId: TaskId, key: string): Promise<Trigger | undefined>
  /** Oldest first. */
  triggerSteps(id: TriggerId): Promise<TriggerStep[]>
  /** Newest first. */
  triggers(filter: TriggerFilter): Promise<Trigger[]>
  /** Those of this node's tasks that are in one of these states, oldest first. */
  triggersIn(states: readonly TriggerState[]): Promise<Trigger[]>
  /** Those of the task that were sent for this reason and whose agent does not have them yet, oldest first. */
  unsubmitted(taskId: TaskId, reason: string): Promise<Trigger[]>
  /** Prompts in a thread, and prompts of runs, that were queued from `since` (epoch ms) on; not those that still wait for a free place. */
  wakesSince(since: number): Promise<Wake[]>
}

export type TriggerDraft = Pick<Input, 'thread' | 'reason' | 'key' | 'framed' | 'forcedBy' | 'forcedWhy'>

/** One step of a trigger beside those that follow from what is said, heard and done. */
export type TriggerMove = {
  readonly id: TriggerId
  /** What the decision was made on: if it no longer holds, nothing is written. */
  readonly from: TriggerState
  readonly at: number
  readonly evidence: readonly Evidence[]
} & (
  | { readonly event: 'deferred' | 'failed'; readonly code: TriggerCode }
  | { readonly event: 'queued' | 'ack_late' | 'unconfirmed' }
  /** It is to be said again, to the run that resumes its session. */
  | { readonly event: 'fell_back'; readonly code: TriggerCode }
  | { readonly event: 'acknowledged'; readonly way: AckWay }
)
