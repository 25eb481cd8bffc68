// Owns what is written to the store: drafts, moves, and what belongs together in one transaction.

import type { EventDraft, JournalEvent } from '../domain/journal/events.ts'
import type { JournalPlace } from '../domain/journal/place.ts'
import type { AuditKind } from '../domain/names/audit-kinds.ts'
import type { NodeId, OrderId, RunId, TaskId, WorkspaceId } from '../domain/names/ids.ts'
import type { FailureClass } from '../domain/run/failure-class.ts'
import type { RunEvent } from '../domain/run/machine.ts'
import type { Evidence } from '../domain/task/evidence.ts'
import type { RestartOrder } from '../domain/task/go-on.ts'
import type { TaskStatus } from '../domain/task/machine.ts'
import type { OrderDraft, OrderOutcome, OrderState } from '../domain/task/order.ts'
import type { PhaseChange } from '../domain/task/state.ts'
import type {
  AgentResult,
  Input,
  Question,
  Run,
  RunStep,
  SessionUsage,
  Snapshot,
  StopOrder,
  TaskFacts,
  Workspace,
} from '../domain/task/task.ts'
import type { SetAside } from './journal.ts'
import type { RuntimeChange } from './runtimes.ts'

/** A task as it is first written; status, phase and counters follow from the `created` event. */
export type TaskDraft = Omit<
  TaskFacts & { readonly snapshot: Snapshot },
  | 'nodeId'
  | 'status'
  | 'phase'
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
  | 'restart'
  | 'archivedAt'
  | 'verification'
>

/** One step of a task. `from` is what the decision was made on: if it no longer holds, nothing is written. */
export type TaskMove = PhaseChange & {
  readonly id: TaskId
  readonly from: TaskStatus
  readonly reason: string
  readonly evidence: readonly Evidence[]
  readonly at: number
  /** What was asked so far is over with this move. */
  readonly closesQuestions: boolean
  /** An earlier turn's result says nothing about what comes now: the run loses it. */
  readonly voidsResult: boolean
  readonly set?: Partial<
    Pick<
      TaskFacts,
      | 'startedAt'
      | 'endedAt'
      | 'workedMs'
      | 'exitCode'
      | 'exitSignal'
      | 'runId'
      | 'sessionId'
      | 'mode'
      | 'retries'
      | 'restart'
      | 'stop'
      | 'verification'
    >
  >
}

export type RunDraft = Pick<
  Run,
  'id' | 'taskId' | 'number' | 'createdAt' | 'outputLength' | 'inputLength' | 'how' | 'told'
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
      | 'outputLength'
    >
  >
}

export type AuditEntry = {
  readonly at: number
  readonly kind: AuditKind
  readonly taskId: TaskId | null
  readonly actor: string
  readonly detail: string
}

/**
 * Everything that is written at once: one transaction, or nothing. Where what a part was decided on no longer holds,
 * the whole change throws TRANSITION_CONFLICT.
 */
export type Change = RuntimeChange & {
  /** TASK_EXISTS when its id is taken. */
  readonly create?: TaskDraft
  readonly task?: TaskMove
  readonly newRun?: RunDraft
  readonly run?: RunMove
  /** Queued behind what is queued already. Its task has not ended. */
  readonly input?: InputDraft
  readonly say?: Saying
  /** What was said to this run and never heard is to be said again, from this number on: its process is gone. */
  readonly unsay?: { readonly taskId: TaskId; readonly runId: RunId; readonly from: number }
  /** Sent to this run, which lives, and certainly not heard: it waits to be said again. */
  readonly takeBack?: { readonly taskId: TaskId; readonly runId: RunId; readonly number: number }
  /** Other words for what is queued and not said yet; what is said stays as it was. */
  readonly reword?: { readonly taskId: TaskId; readonly number: number; readonly text: string }
  readonly question?: QuestionDraft
  /** To a question of the agent's: it is queued as an input. The first answer counts. */
  readonly answer?: AnswerDraft
  /** A question of Holdfast's own, and what a person decided. The first answer counts. */
  readonly answered?: Pick<Question, 'taskId' | 'number'> & {
    readonly answer: string
    readonly by: string
    readonly at: number
  }
  /** These questions are over. An ended task has no open ones. */
  readonly settled?: { readonly taskId: TaskId; readonly at: number; readonly numbers: readonly number[] }
  /** Once, and only while the task has not ended. A stop goes before a restart. */
  readonly stop?: { readonly id: TaskId; readonly order: StopOrder }
  readonly restart?: { readonly id: TaskId; readonly order: RestartOrder }
  /** Somebody wants something of the task. TRANSITION_CONFLICT when an order with its key was given before. */
  readonly giveOrder?: OrderDraft
  readonly order?: {
    readonly id: OrderId
    readonly from: OrderState
    readonly to: OrderState
    readonly at: number
    readonly outcome?: OrderOutcome
  }
  /** Event lines that were read. What they decided commits with them. */
  readonly reading?: Reading
  /** A fact for the journal beside what the other parts append to it. */
  readonly event?: EventDraft
  /** Closed, or closed for longer. */
  readonly gate?: Gate
  /** Opened: who waits behind it may go. */
  readonly openGate?: string
  /** Whether the closing acts of an ended task (state file, pane, secrets) are done. */
  readonly tidied?: { readonly id: TaskId; readonly isTidied: boolean }
  /** Only a tidied task of this node, once. Reopening takes it out of the archive. */
  readonly archive?: { readonly id: TaskId; readonly at: number }
  /** Task, runs, transitions, inputs and questions together; its events stay. TASK_NOT_FOUND where there is none, TASK_ACTIVE unless it is an ended, tidied task of this node. */
  readonly remove?: { readonly id: TaskId; readonly at: number }
  /** One more daemon died while it handled these. */
  readonly daemonDied?: readonly RunId[]
  /** A daemon handled this run and lives. */
  readonly daemonLives?: RunId
  /** A path that is known changes nothing; a slug that is taken gets a number. */
  readonly workspace?: Workspace
  /** WORKSPACE_IN_USE while a task there has not ended, or a runtime has its place there. */
  readonly dropWorkspace?: WorkspaceId
  /** A durable reader of the journal is done with these events: only its holder, and only from where it is. */
  readonly handled?: {
    readonly subscriber: string
    readonly epoch: number
    readonly from: JournalPlace
    readonly to: JournalPlace
  }
  readonly setAside?: SetAside
  /** It was handled after all. */
  readonly takeUp?: { readonly subscriber: string; readonly nodeId: NodeId; readonly seq: number }
  readonly audit?: AuditEntry
}

/** What a commit wrote, for all that follow it. */
export type Committed = {
  /** As they were appended to the journal, in order. */
  readonly events: readonly JournalEvent[]
  /** Tasks of which something changed, also where no event tells of it. */
  readonly tasks: ReadonlySet<TaskId>
  /** The input that was queued. */
  readonly input?: Input
}

export type AnswerDraft = {
  readonly taskId: TaskId
  readonly number: number
  readonly text: string
  readonly option: number | null
  readonly by: string
  readonly at: number
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
  /** Whose failure it was closed for, the latest last. */
  readonly failed: readonly FailedBehind[]
}

/** `asCanary`: how often it was the one that tried first. */
export type FailedBehind = { readonly id: TaskId; readonly asCanary: number }

/** An input as it goes out. The first word about it wins: what was said is not said again. */
export type Saying = {
  readonly taskId: TaskId
  readonly number: number
  readonly runId: RunId
  readonly at: number
  /** It begins a turn: what the run said of an earlier one is void. */
  readonly voidsResult: boolean
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
