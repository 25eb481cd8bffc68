// Owns what has to be known of a task to say what comes next for it, and the form in which it is said.
import type { AnswerWay } from '../conversation/answer-way.ts'
import type { KeptBack } from '../conversation/kept-back.ts'
import type { TaskState } from '../task/state.ts'
import type { Question, TaskFacts } from '../task/task.ts'

export type NextFacts = {
  readonly task: TaskState & Pick<TaskFacts, 'id' | 'retries' | 'stop' | 'restart' | 'archivedAt'>
  readonly mostRetries: number
  /** Its questions that are not settled. */
  readonly open: readonly Question[]
  /** To the oldest question that nobody has answered. */
  readonly answerWay: AnswerWay
  /** The gate that holds it back. */
  readonly gate: ClosedGate | null
  /** From 1; null when it is not queued. */
  readonly queuePosition: number | null
  /** In which parked tasks are not woken. */
  readonly quietHours: string | null
  /** It was ordered to finish. */
  readonly isFinishing: boolean
  /** Null while nobody counts. */
  readonly life: Silence | null
  /** Why there is no terminal for it; null when there is, or it needs none. */
  readonly outage: { readonly why: string; readonly retryAt: number | null } | null
  readonly unsaid: Unsaid
  readonly now: number
}
/** What its agent is to be told and was not. */
export type Unsaid = {
  readonly prompts: number
  /** Null where nothing but the end of its turn is waited for. */
  readonly kept: KeptBack | null
}
export type ClosedGate = {
  readonly kind: 'limit' | 'environment' | 'breaker'
  readonly until: number
  readonly canary: string | null
}
export type Silence = {
  readonly silentMs: number
  /** From then on it is stuck. */
  readonly limitMs: number
  /** Why silence is no wonder. */
  readonly patience: string | null
}

export type NextKind =
  | 'archived'
  | 'done'
  | 'ended'
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

/** `question`: the number to name in an answer, where several are open. */
export type NextStep = {
  readonly kind: NextKind
  readonly what: string
  readonly at: number | null
  readonly question: number | null
}
