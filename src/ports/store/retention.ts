// Owns what is archived and deleted because of its age.

import type { TaskId } from '../../domain/names/ids.ts'
import type { TaskStatus } from '../../domain/task/machine.ts'

export type Archivable = { readonly id: TaskId; readonly endedAt: number }

/**
 * Epoch ms. Events are deleted only from the beginning of each node's sequence, and runs only of ended tasks; the last
 * run of each task stays. Settled orders are kept as long as audit rows; what parents were told, and what was worked off by
 * tasks that go on, as long as events.
 */
export type PruneLimits = {
  readonly eventsBefore: number
  /** Events before this are deleted although a subscriber has not handled them. */
  readonly eventsBeforeAll: number
  readonly auditBefore: number
  readonly runsBefore: number
  /** Messages, with threads in which nothing was posted since. */
  readonly messagesBefore: number
}
export type Pruned = {
  readonly events: number
  readonly audit: number
  readonly runs: number
  readonly messages: number
  readonly threads: number
  /** Subscribers for which events were kept that are old enough to be deleted. */
  readonly heldBy: readonly string[]
}

export interface ArchiveReads {
  /**
   * Tidied tasks of this node that ended before this time and are not archived, oldest first. `statuses`: all ended ones
   * when absent. `archived`: archived tasks, too.
   */
  archivable(
    endedBefore: number,
    most: number,
    only?: {
      readonly statuses?: readonly TaskStatus[]
      readonly after?: Archivable
      readonly archived?: boolean
    },
  ): Promise<Archivable[]>
}

/** Writes beside `commit`: what is deleted because of its age is no event. */
export interface Pruning {
  /**
   * Deletes what is older, at most `most` of each kind per call: call again until nothing is deleted. Events that a
   * registered subscriber has not handled stay, unless they are older than `eventsBeforeAll`.
   */
  prune(before: PruneLimits, most: number): Promise<Pruned>
}
