// Owns what `monitor` answers: one word for the state of a task, and why, in plain words. The docs show the table.
import type { Question } from './question.ts'
import type { TaskSummary } from './task.ts'

export type FinalState =
  | 'completed'
  | 'crashed'
  | 'stuck'
  | 'timeout'
  | 'incomplete'
  | 'not_found'
  | 'needs_input'
  | 'killed'
export type Final = { readonly state: FinalState; readonly reason: string }

export type FinalFacts = Pick<
  TaskSummary,
  'status' | 'phase' | 'reason' | 'startedAt' | 'stop' | 'restart' | 'verification'
>
/** A task whose turn is over and that has no prompts left. `failures`: why the turn failed, or which checks of its contract did. */
export type AtRest = { readonly failures: readonly string[] }

type Facts = FinalFacts & {
  readonly isAtRest: boolean
  /** As in AtRest; empty for a task that is not at rest. */
  readonly failures: readonly string[]
}
type Row = {
  readonly when: string
  readonly is: (facts: Facts) => boolean
  readonly state: FinalState
  readonly why: (facts: Facts, open: readonly Question[]) => string
}

const reasonOf = ({ reason, status }: FinalFacts) => reason ?? status

/** The first row that holds counts. A task for which no row holds goes on by itself. */
export const finalStates: readonly Row[] = [
  { when: 'completed', is: ({ status }) => status === 'completed', state: 'completed', why: reasonOf },
  {
    when: 'failed: its work did not pass verification',
    is: ({ status, verification }) => status === 'failed' && verification?.verified === false,
    state: 'incomplete',
    why: (task) => task.verification?.failures.join('; ') || reasonOf(task),
  },
  {
    when: 'failed in any other way, with its retries spent',
    is: ({ status }) => status === 'failed',
    state: 'crashed',
    why: reasonOf,
  },
  {
    when: 'cancelled: its lifetime is over',
    is: ({ status, stop }) => status === 'cancelled' && stop?.kind === 'timeout',
    state: 'timeout',
    why: reasonOf,
  },
  {
    when: 'cancelled: ended by a person or a budget',
    is: ({ status }) => status === 'cancelled',
    state: 'killed',
    why: (task) => `${endedHow(task)}: ${reasonOf(task)}`,
  },
  {
    when: 'stuck, and escalated',
    is: ({ status, phase }) => status === 'waiting_input' && phase === 'stuck',
    state: 'stuck',
    why: reasonOf,
  },
  {
    when: 'asking, or stopped by a person',
    is: ({ status }) => status === 'waiting_input',
    state: 'needs_input',
    why: (task, [question]) => (question === undefined ? reasonOf(task) : spelledOut(question)),
  },
  {
    when: 'idle: its turn is over, but it failed, or its work does not pass its contract',
    is: ({ failures }) => failures.length > 0,
    state: 'incomplete',
    why: ({ failures }) => failures.join('; '),
  },
  {
    when: 'idle: its turn is over, and its work passes its contract, or it has none',
    is: ({ isAtRest }) => isAtRest,
    state: 'completed',
    why: () => 'its turn is over; it waits for a prompt',
  },
]

/**
 * Null while the task goes on by itself. `open`: its questions that are not settled. `rest`: null when the task is not at
 * rest, or when that is not enough for the caller.
 */
export function finalOf(
  task: FinalFacts,
  open: readonly Question[],
  rest: AtRest | null = null,
): Final | null {
  if (task.status === 'waiting_input' && isDecided(task, open)) return null
  const facts = { ...task, isAtRest: rest !== null, failures: rest?.failures ?? [] }
  const row = finalStates.find(({ is }) => is(facts))
  return row === undefined ? null : { state: row.state, reason: row.why(facts, unanswered(open)) }
}

export const unanswered = (open: readonly Question[]) => open.filter(({ answer }) => answer === null)

/** True when a person has decided already, and the decision is being carried out. */
function isDecided({ phase, stop, restart }: FinalFacts, open: readonly Question[]): boolean {
  if (stop !== null || restart !== null) return true
  const asks = phase === 'asking' || open.length > 0
  return asks && unanswered(open).length === 0
}

function endedHow({ stop, startedAt }: FinalFacts): string {
  if (stop === null) return startedAt === null ? 'killed before it started' : 'killed'
  return stop.kind === 'kill' ? `killed by ${stop.by}` : `ended by its ${stop.kind} limit`
}

/** `Which colour? 1. red 2. green` */
const spelledOut = ({ text, options }: Question) =>
  [text, ...options.map((option, at) => `${at + 1}. ${option}`)].join(' ')

export const notFound = (id: string): Final => ({ state: 'not_found', reason: `Session not found: ${id}` })

/** The answer when the caller's own waiting time is over. */
export const gaveUp = (after: string, doing: string): Final => ({
  state: 'timeout',
  reason: `not done after ${after}: still ${doing}; it goes on`,
})

/** States in which a task needs a decision. Whoever waits for several tasks is told of these at once. */
const DECISIONS: readonly (FinalState | null)[] = ['needs_input', 'stuck', 'not_found']

/** Whether to answer a caller who waits for all of these tasks, or for any one of them (`any`). Null: the task goes on. */
export const isTimeToAnswer = (states: readonly (FinalState | null)[], any: boolean) =>
  states.some((state) => DECISIONS.includes(state)) ||
  (any ? states.some((state) => state !== null) : states.every((state) => state !== null))

/** The index of the task that the answer is about: one that needs a decision, else one that went wrong, else one that is done. */
export function decisive(states: readonly (FinalState | null)[]): number {
  const first = (is: (state: FinalState | null) => boolean) => states.findIndex(is)
  const candidates = [
    first((state) => DECISIONS.includes(state)),
    first((state) => state !== null && state !== 'completed'),
    first((state) => state !== null),
  ]
  return candidates.find((at) => at >= 0) ?? 0
}
