// Owns the types of `nextStep`: the facts it needs about a task, and its answer.
import type { AnswerWay } from '../conversation/answer-way.ts'
import type { KeptBack } from '../conversation/kept-back.ts'
import type { Elsewhere } from '../task/elsewhere.ts'
import type { Question } from '../task/question.ts'
import type { TaskState } from '../task/state.ts'
import type { TaskFacts } from '../task/task.ts'

export type NextFacts = {
  readonly task: TaskState & Pick<TaskFacts, 'id' | 'runtime' | 'retries' | 'stop' | 'restart' | 'archivedAt'>
  readonly mostRetries: number
  /** The task's questions that are not settled. */
  readonly open: readonly Question[]
  /** How an answer to the oldest unanswered question reaches the agent. */
  readonly answerWay: AnswerWay
  /** The closed gate that the task waits behind. */
  readonly gate: ClosedGate | null
  /** Counted from 1; null when the task is not queued. */
  readonly queuePosition: number | null
  /** The hours in which parked tasks are not woken, such as `22:00-07:00`. */
  readonly quietHours: string | null
  /** True when the task was ordered to finish. */
  readonly isFinishing: boolean
  /** Null while the agent's silence is not measured. */
  readonly life: Silence | null
  /** Why tmux gives the task no terminal; null when tmux works, or the task needs no terminal. `retryAt`: epoch ms. */
  readonly outage: { readonly why: string; readonly retryAt: number | null } | null
  readonly unsaid: Unsaid
  /** Null of a task of this daemon. */
  readonly elsewhere: Elsewhere | null
  /** Epoch ms. */
  readonly now: number
}
/** Prompts that were not said to the agent yet. */
export type Unsaid = {
  /** How many. */
  readonly prompts: number
  /** Why they are kept back; null when they only wait for the end of the turn. */
  readonly kept: KeptBack | null
}
export type ClosedGate = {
  readonly kind: 'limit' | 'environment' | 'breaker'
  /** Epoch ms. */
  readonly until: number
  readonly canary: string | null
}
export type Silence = {
  readonly silentMs: number
  /** An agent that is silent for longer is stuck. */
  readonly limitMs: number
  /** Why the agent may be silent now, such as an open tool call; null without such a reason. */
  readonly patience: string | null
}

export type NextKind =
  | 'archived'
  | 'done'
  | 'ended'
  | 'node_silent'
  | 'being_ended'
  | 'being_restarted'
  | 'cannot_be_answered'
  | 'awaits_answer'
  | 'takes_answer'
  | 'awaits_person'
  | 'behind_gate'
  | 'parked'
  | 'backing_off'
  | 'waiting'
  | 'awaits_tmux'
  | 'queued'
  | 'starting'
  | 'verifying'
  | 'stuck'
  | 'kept_back'
  | 'being_told'
  | 'finishing'
  | 'idle'
  | 'working'

/**
 * `at`: epoch ms when the step comes; null when that is not known. `question`: the number to answer, when several are open.
 * `runtime`: `<role>@<workspace slug>`, when the task is a runtime, which a person ends and starts by other commands.
 */
export type NextStep = {
  readonly kind: NextKind
  readonly what: string
  readonly at: number | null
  readonly question: number | null
  readonly runtime: string | null
}
