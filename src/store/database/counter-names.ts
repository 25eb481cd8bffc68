// Owns the names of the counters that each node keeps in the table `counters`.
import { ENDED, type StatusBefore, TASK_STATUSES, type TaskStatus } from '../../domain/task/machine.ts'

/** The number of the node's last event. */
export const EVENT_SEQ = 'event_seq'
export const taskCounter = (status: TaskStatus) => `tasks_${status}`
export const archivedCounter = (status: StatusBefore) => `archived_${status}`

export const COUNTERS: readonly string[] = [
  EVENT_SEQ,
  ...TASK_STATUSES.map(taskCounter),
  ...ENDED.map(archivedCounter),
]
