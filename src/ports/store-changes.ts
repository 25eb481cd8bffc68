// Owns what is written to the store: drafts, moves, and what belongs together in one transaction.
import type { Evidence } from '../domain/evidence.ts'
import type { FailureClass } from '../domain/failure-class.ts'
import type { RunId, TaskId } from '../domain/ids.ts'
import type { RunEvent } from '../domain/run-machine.ts'
import type { AgentResult, Input, Question, Run, RunStep, SessionUsage, Task } from '../domain/task.ts'
import type { TaskEvent, TaskStatus } from '../domain/task-machine.ts'

/** A task as it is first written; status, phase and counters follow from the `created` event. */
export type TaskDraft = Omit<
  Task,
  | 'nodeId'
  | 'status'
  | 'phase'
  | 'phaseUntil'
  | 'startedAt'
  | 'endedAt'
  | 'workedMs'
  | 'exitCode'
  | 'exitSignal'
  | 'reason'
  | 'runId'
  | 'sessionId'
  | 'tokensIn'
  | 'tokensOut'
  | 'costUsd'
  | 'sessionUsage'
  | 'stop'
  | 'hookViolations'
  | 'retries'
  | 'goOn'
  | 'restart'
  | 'gate'
  | 'archivedAt'
  | 'verification'
>

/** One step of a task. `from` is what the decision was made on: if it no longer holds, nothing is written. */
export type TaskMove = {
  readonly id: TaskId
  readonly from: TaskStatus
  readonly event: TaskEvent
  readonly reason: string
  readonly evidence: readonly Evidence[]
  readonly at: number
  readonly set?: Partial<
    Pick<
      Task,
      | 'startedAt'
      | 'endedAt'
      | 'workedMs'
      | 'exitCode'
      | 'exitSignal'
      | 'runId'
      | 'sessionId'
      | 'phaseUntil'
      | 'mode'
      | 'retries'
      | 'goOn'
      | 'restart'
      | 'stop'
      | 'gate'
      | 'verification'
    >
  >
}

export type RunDraft = Pick<
  Run,
  'id' | 'taskId' | 'number' | 'createdAt' | 'outputLength' | 'inputLength' | 'how'
>
export type InputDraft = Pick<Input, 'taskId' | 'kind' | 'text' | 'by' | 'at'>
export type QuestionDraft = Pick<Question, 'taskId' | 'runId' | 'text' | 'options' | 'ref' | 'askedAt'>
export type RunMove = {
  readonly id: RunId
  readonly from: Run['state']
  readonly event: RunEvent
  readonly set?: Partial<
    Pick<
      Run,
      | 'startedAt'
      | 'liveSinceMono'
      | 'endedAt'
      | 'pid'
      | 'startTicks'
      | 'bootId'
      | 'exitCode'
      | 'exitSignal'
      | 'failure'
    >
  >
}

export type AuditEntry = {
  readonly at: number
  readonly kind: string
  readonly taskId: TaskId | null
  readonly actor: string
  readonly detail: string
}

/** Everything a decision writes; one transaction, or nothing. */
export type Change = {
  readonly task?: TaskMove
  readonly newRun?: RunDraft
  readonly run?: RunMove
  /** Queued behind what is queued already. */
  readonly input?: InputDraft
  readonly question?: QuestionDraft
  /** What was said to this run and never heard is to be said again, from this number on: its process is gone. */
  readonly unsay?: { readonly taskId: TaskId; readonly runId: RunId; readonly from: number }
  /** Other words for what is queued and not said yet; what is said stays as it was. */
  readonly reword?: { readonly taskId: TaskId; readonly number: number; readonly text: string }
  /** A question of Holdfast's own, and what a person decided. */
  readonly answered?: Pick<Question, 'taskId' | 'number'> & {
    readonly answer: string
    readonly by: string
    readonly at: number
  }
  /** A fact worth telling beside the move. */
  readonly tell?: { readonly kind: string; readonly taskId: TaskId; readonly data: Record<string, unknown> }
  /** Closed, or closed for longer. */
  readonly gate?: Gate
  /** Opened: who waits behind it may go. */
  readonly openGate?: string
  /** These questions are over. An ended task has no open ones. */
  readonly settled?: { readonly taskId: TaskId; readonly at: number; readonly numbers: readonly number[] }
  readonly audit?: AuditEntry
}

/** Behind it tasks wait for something they share: an account's limit, the machine's network, an agent that keeps failing. */
export type Gate = {
  readonly key: string
  readonly kind: 'limit' | 'environment' | 'breaker'
  readonly reason: string
  readonly since: number
  readonly until: number
  /** How often it stayed closed after its canary. */
  readonly tries: number
  /** Sent through alone: if it gets on, the gate opens. */
  readonly canary: TaskId | null
}

/** An input as it goes out. The first word about it wins: what was said is not said again. */
export type Saying = {
  readonly taskId: TaskId
  readonly number: number
  readonly runId: RunId
  readonly at: number
  /** Null when it is typed. `offset` must be the run's input length, which grows by the line. */
  readonly written: { readonly line: string; readonly offset: number } | null
}

/** Event lines read, with the offsets that belong to their effects. */
export type Reading = {
  readonly taskId: TaskId
  readonly runId: RunId
  /** Must equal the stored offset, or nothing is written. */
  readonly fromOffset: number
  readonly offset: number
  readonly outputLength: number
  readonly unknownLines: number
  /** Part of the file is lost. */
  readonly eventsLost?: boolean
  readonly tokensIn: number
  readonly tokensOut: number
  readonly costUsd: number
  readonly sessionUsage?: SessionUsage
  readonly sessionId?: string
  /** What it told instead of a session id, fit to be shown. A known id is void then. */
  readonly refusedSession?: string
  readonly lastWords?: string
  /** Null voids an earlier one. */
  readonly result?: AgentResult | null
  /** Numbers of inputs that the agent has, and of prompts whose turn is over. */
  readonly heard?: readonly number[]
  readonly done?: readonly number[]
  /** Added to the task's hook violations. */
  readonly blocked?: readonly string[]
  /** Tool calls that began; tool calls and turns that ended. */
  readonly tools?: number
  readonly progress?: number
  /** All that is kept, earlier ones included. */
  readonly steps?: readonly RunStep[]
  /** Null voids an earlier one. */
  readonly failure?: FailureClass | null
  readonly limitedUntil?: number | null
}
