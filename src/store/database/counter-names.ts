// Owns the names of the numbers that each node keeps.
import { ENDED, type StatusBefore, TASK_STATUSES, type TaskStatus } from '../../domain/task/machine.ts'

/** The number of the node's last event. */
export const EVENT_SEQ = 'event_seq'
export const tasksIn = (status: TaskStatus) => `tasks_${status}`
export const archivedIn = (status: StatusBefore) => `archived_${status}`

export const COUNTERS: readonly string[] = [
  EVENT_SEQ,
  ...TASK_STATUSES.map(tasksIn),
  ...ENDED.map(archivedIn),
]
