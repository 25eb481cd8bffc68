// Owns what is asked of tasks that wait: for a place among the running ones, or for a time.

import type { TaskId } from '../../domain/names/ids.ts'
import type { QueuedTask, TimedTask } from '../../domain/task/task.ts'

export interface Queue {
  /**
   * Pending tasks of this node in the order of launch: by priority, then those that were started before, then by age.
   * Runtimes are not among them: they need no slot.
   */
  queue(most: number): Promise<QueuedTask[]>
  /** Whether one of these tasks has a child in the queue of this node. */
  hasQueuedChild(parents: readonly TaskId[]): Promise<boolean>
  /** Pending runtimes of this node, oldest first. */
  queuedRuntimes(): Promise<QueuedTask[]>
  /** The task's place in the queue, from 1; null when the task is not pending. */
  queuePosition(id: TaskId): Promise<number | null>
  /** Tasks of this node that are backing off or parked; the one whose time comes first is first. */
  waiting(): Promise<TimedTask[]>
}
