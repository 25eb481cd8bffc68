// Owns the two sets of words for a task's status: Holdfast's own (pending, running, …) and those of the handoff directory
// (CREATED, RUNNING, …). Filters may use both.
import { HoldfastError } from '../errors.ts'
import { printable } from '../names/names.ts'
import { PHASES, type Phase, TASK_STATUSES, type TaskStatus, taskTransitions } from './machine.ts'
import type { TaskSummary } from './task.ts'

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

/**
 * CREATED only before the first start. A crashed task that waits for a slot is RUNNING, so that a script which waits for
 * the end of RUNNING does not stop too early.
 */
export const sessionStatus = ({ status, startedAt }: Pick<TaskSummary, 'status' | 'startedAt'>) =>
  viewOf(status, startedAt !== null)

export const viewOf = (status: TaskStatus, hasStarted: boolean): SessionStatus =>
  status === 'pending' && hasStarted ? 'RUNNING' : views[status]

/** What a filter asks for. A field that is absent may have any value. */
export type WantedState = {
  readonly status: TaskStatus
  readonly phase?: Phase
  readonly hasStarted?: boolean
}

/** Takes statuses of both sets, and phases, in upper or lower case, separated by commas: `asking,FAILED`. */
export const statesFor = (filter: string): WantedState[] => filter.split(',').flatMap(statesOfWord)

function statesOfWord(given: string): WantedState[] {
  const word = given
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  const own = TASK_STATUSES.filter((status) => status === word).map((status) => ({ status }))
  const phases = PHASES.filter((phase) => phase === word).flatMap((phase) =>
    statusesIn(phase).map((status) => ({ status, phase })),
  )
  const found = [...own, ...statesShownAs(word, own), ...phases]
  if (found.length > 0) return found
  throw new HoldfastError('INVALID_STATUS_FILTER', `Invalid status filter: ${printable(given)}`)
}

/** The states that the handoff directory shows as `word`, without those in `known`. Both sets of words have `running`. */
function statesShownAs(word: string, known: readonly WantedState[]): WantedState[] {
  const isShown = (status: TaskStatus, hasStarted: boolean) =>
    viewOf(status, hasStarted).toLowerCase() === word
  return TASK_STATUSES.filter((status) => !known.some((state) => state.status === status)).flatMap(
    (status) => {
      const shown = [true, false].filter((hasStarted) => isShown(status, hasStarted))
      return shown.length === 2 ? [{ status }] : shown.map((hasStarted) => ({ status, hasStarted }))
    },
  )
}

/** The statuses in which a task can be in this phase. */
const statusesIn = (phase: Phase): TaskStatus[] => {
  const steps = Object.values(taskTransitions).flatMap((row) => Object.values(row))
  return TASK_STATUSES.filter((status) => steps.some((step) => step.to === status && step.phase === phase))
}
