// Owns the two vocabularies: ours (pending, running, …) and the handoff directory's (CREATED, RUNNING, …), and what a filter in either asks for.
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

/** CREATED until the first start only: a loop that waits while RUNNING must not end because a crashed task waits for its slot. */
export const sessionStatus = ({ status, startedAt }: Pick<TaskSummary, 'status' | 'startedAt'>) =>
  viewOf(status, startedAt !== null)

export const viewOf = (status: TaskStatus, hasStarted: boolean): SessionStatus =>
  status === 'pending' && hasStarted ? 'RUNNING' : views[status]

/** What a filter asks of a task. What is absent may be anything. */
export type WantedState = {
  readonly status: TaskStatus
  readonly phase?: Phase
  readonly hasStarted?: boolean
}

/** Statuses of either vocabulary and phases, in any case, with commas between several: `asking,FAILED`. */
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

/** `running` is a word of both: everything that either means by it. */
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

/** In which statuses a task can be in that phase. */
const statusesIn = (phase: Phase): TaskStatus[] => {
  const steps = Object.values(taskTransitions).flatMap((row) => Object.values(row))
  return TASK_STATUSES.filter((status) => steps.some((step) => step.to === status && step.phase === phase))
}
