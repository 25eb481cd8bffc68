// Owns the two vocabularies: ours (pending, running, …) and the handoff directory's (CREATED, RUNNING, …).
import { HoldfastError } from './errors.ts'
import { printable } from './names.ts'
import { TASK_STATUSES, type TaskStatus } from './task-machine.ts'

export const SESSION_STATUSES = ['CREATED', 'RUNNING', 'COMPLETED', 'FAILED', 'KILLED'] as const
export type SessionStatus = (typeof SESSION_STATUSES)[number]

const views: Readonly<Record<TaskStatus, SessionStatus>> = {
  pending: 'CREATED',
  running: 'RUNNING',
  waiting_input: 'RUNNING',
  completed: 'COMPLETED',
  failed: 'FAILED',
  cancelled: 'KILLED',
}
export const sessionStatus = (status: TaskStatus): SessionStatus => views[status]

/** A filter in either vocabulary, in any case. */
export function statusesFor(filter: string): TaskStatus[] {
  const asked = filter.trim().toLowerCase()
  const matching = TASK_STATUSES.filter((status) => status === asked || views[status].toLowerCase() === asked)
  if (matching.length === 0)
    throw new HoldfastError('INVALID_STATUS_FILTER', `Invalid status filter: ${printable(filter)}`)
  return matching
}
