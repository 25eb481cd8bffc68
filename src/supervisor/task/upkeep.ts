// Owns what the watchdog remembers between its calls. All of it can be found out again.
import type { TaskId } from '../../domain/names/ids.ts'
import type { Kept } from '../../ports/files/home-files.ts'
import type { ListPlace } from '../../ports/store/task-lists.ts'

export type Upkeep = {
  calls: number
  isBusy: boolean
  /** Bytes on disk of each task that is not archived, as last measured. */
  readonly sizes: Map<TaskId, number>
  /**
   * The place in the list up to which tasks without an open run were measured; null before the first,
   * undefined after the last.
   */
  measuredTo: ListPlace | null | undefined
  /** Tasks whose run may have ended since they were measured. */
  readonly unmeasured: Set<TaskId>
  /** The task with an open run that was measured last. */
  measured: TaskId | undefined
  /** Files of the home still to be compared with the store in this round. */
  kept: Kept[]
  /** Subscribers for which old events were kept, as last seen. */
  heldBy: readonly string[]
  /** Orphans, and the epoch ms when each was found; undefined until they were read from the audit. */
  orphans: Map<string, number> | undefined
}

export const newUpkeep = (): Upkeep => ({
  calls: 0,
  isBusy: false,
  sizes: new Map(),
  measuredTo: null,
  unmeasured: new Set(),
  measured: undefined,
  kept: [],
  heldBy: [],
  orphans: undefined,
})
