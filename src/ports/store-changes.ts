// Owns what is written to the store: drafts, moves, and the change that one transaction writes.

import type { EventDraft, JournalEvent } from '../domain/journal/events.ts'
import type { JournalPlace } from '../domain/journal/place.ts'
import type { AuditKind } from '../domain/names/audit-kinds.ts'
import type { NodeId, OrderId, RunId, TaskId, TriggerId, WorkspaceId } from '../domain/names/ids.ts'
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
import type { Message } from '../domain/thread/thread.ts'
import type { AckWay } from '../domain/trigger/acknowledgement.ts'
import type { TriggerCode } from '../domain/trigger/codes.ts'
import type { TriggerState } from '../domain/trigger/machine.ts'
import type { SetAside } from './journal.ts'
import type { NoticeChange } from './notices.ts'
import type { RuntimeChange } from './runtimes.ts'
import type { ThreadChange } from './threads.ts'

/** A task as it is first written. The store sets its node, status, phase and counters. */
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

/**
 * One step of a task. `from` is the status on which the decision was based: if the task has another one, nothing is
 * written.
 */
export type TaskMove = PhaseChange & {
  readonly id: TaskId
  readonly from: TaskStatus
  readonly reason: string
  readonly evidence: readonly Evidence[]
  readonly at: number
  /** All open questions of the task are settled by this move. */
  readonly closesQuestions: boolean
  /** The run's result is deleted, because it belongs to an earlier turn. */
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
export type InputDraft = Pick<Input, 'taskId' | 'kind' | 'text' | 'by' | 'at'> & {
  /** For a prompt that somebody sends: it gets a trigger's id. */
  readonly trigger?: TriggerDraft
  /** The trigger waits from its beginning, until somebody moves it to the queue. */
  readonly deferred?: { readonly code: TriggerCode; readonly evidence: readonly Evidence[] }
}
export type TriggerDraft = Pick<Input, 'thread' | 'reason' | 'key' | 'framed' | 'forcedBy' | 'forcedWhy'>

/** One step of a trigger beside those that follow from what is said, heard and done. */
export type TriggerMove = {
  readonly id: TriggerId
  /** What the decision was made on: if it no longer holds, nothing is written. */
  readonly from: TriggerState
  readonly at: number
  readonly evidence: readonly Evidence[]
} & (
  | { readonly event: 'deferred' | 'failed'; readonly code: TriggerCode }
  | { readonly event: 'queued' | 'ack_late' | 'unconfirmed' }
  /** It is to be said again, to the run that resumes its session. */
  | { readonly event: 'fell_back'; readonly code: TriggerCode }
  | { readonly event: 'acknowledged'; readonly way: AckWay }
)
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

/** By which key of its client a task was made. `digest`: of what was asked for, without the environment. */
export type TaskKey = {
  readonly createdBy: string
  readonly key: string
  readonly digest: string
  readonly taskId: TaskId
}

/**
 * Everything that one transaction writes: all of it, or nothing. When the facts on which a part was decided no longer
 * hold, the commit throws TRANSITION_CONFLICT, unless the part names another error.
 */
export type Change = ThreadChange &
  NoticeChange &
  RuntimeChange & {
    /** TASK_EXISTS when the id is taken. */
    readonly create?: TaskDraft
    /** Together with `create`. TRANSITION_CONFLICT when the caller has made a task with this key. */
    readonly taskKey?: TaskKey
    readonly task?: TaskMove
    readonly newRun?: RunDraft
    readonly run?: RunMove
    /** Queued after all earlier inputs. The task must not have ended. */
    readonly input?: InputDraft
    readonly say?: Saying
    /** For a run that is over: prompts and the `end` from this number on that it has not heard are queued again. */
    readonly unsay?: { readonly taskId: TaskId; readonly runId: RunId; readonly from: number }
    /** For a live run: this input was sent, but certainly not heard. It is queued again. */
    readonly takeBack?: { readonly taskId: TaskId; readonly runId: RunId; readonly number: number }
    /** A new text for an input that is queued. An input that was said stays as it is. */
    readonly reword?: { readonly taskId: TaskId; readonly number: number; readonly text: string }
    readonly trigger?: TriggerMove
    /** Typed in spite of a person's keys of a moment ago. The first who wants that counts; not once it is said. */
    readonly force?: {
      readonly id: TriggerId
      readonly by: string
      readonly why: string
      readonly at: number
    }
    /** What waited for this run is told to the one that takes its place. What it was given, and nobody can tell whether it had it, stays open. */
    readonly fallBack?: {
      readonly taskId: TaskId
      readonly runId: RunId
      readonly at: number
      /** How that run ended. */
      readonly code: 'PANE_DEAD' | 'REGISTRY_DRIFT'
      readonly evidence: readonly Evidence[]
    }
    /** What waits for this session waits for a person now, whoever waits for it is told why. */
    readonly deferWaiting?: {
      readonly taskId: TaskId
      readonly at: number
      readonly code: TriggerCode
      readonly evidence: readonly Evidence[]
    }
    readonly question?: QuestionDraft
    /** An answer to a question of the agent. It is queued as an input. The first answer counts. */
    readonly answer?: AnswerDraft
    /** A person's answer to a question of Holdfast itself. It settles the question. The first answer counts. */
    readonly answered?: Pick<Question, 'taskId' | 'number'> & {
      readonly answer: string
      readonly by: string
      readonly at: number
    }
    /** These questions are settled. */
    readonly settled?: { readonly taskId: TaskId; readonly at: number; readonly numbers: readonly number[] }
    /** Only once, and only while the task has not ended. */
    readonly stop?: { readonly id: TaskId; readonly order: StopOrder }
    /** Only once, and only while the task has not ended and has no stop. */
    readonly restart?: { readonly id: TaskId; readonly order: RestartOrder }
    /** A new order. TRANSITION_CONFLICT when an order with the same key was given for the task before. */
    readonly giveOrder?: OrderDraft
    /** A step of an order. */
    readonly order?: {
      readonly id: OrderId
      readonly from: OrderState
      readonly to: OrderState
      readonly at: number
      readonly outcome?: OrderOutcome
    }
    /** What was read from an agent's event lines. What follows from the lines is in the same commit. */
    readonly reading?: Reading
    /** An event for the journal, besides those that the other parts append. */
    readonly event?: EventDraft
    /** Closes a gate, or changes a closed one. */
    readonly gate?: Gate
    /** Opens the gate with this key: the tasks behind it may go on. */
    readonly openGate?: string
    /** Whether the closing acts of an ended task (state file, pane, secrets) are done. */
    readonly tidied?: { readonly id: TaskId; readonly isTidied: boolean }
    /** Only once, and only an ended and tidied task of this node. Reopening takes the task out of the archive. */
    readonly archive?: { readonly id: TaskId; readonly at: number }
    /**
     * Deletes the task with its runs, transitions, inputs, questions and orders; its events stay. TASK_NOT_FOUND when there
     * is no such task, TASK_ACTIVE unless it is an ended, tidied task of this node.
     */
    readonly remove?: { readonly id: TaskId; readonly at: number }
    /** One more daemon died while it handled these runs. */
    readonly daemonDied?: readonly RunId[]
    /** A daemon handled this run and is still alive: the count of deaths begins again. */
    readonly daemonLives?: RunId
    /** Adds a workspace. Nothing changes when its path is known. A slug that is taken gets a number at its end. */
    readonly workspace?: Workspace
    /** WORKSPACE_IN_USE while a task there has not ended, or a runtime has its place there. */
    readonly dropWorkspace?: WorkspaceId
    /** A subscriber has handled the events between two places. SUBSCRIBER_TAKEN when another holder has taken it over. */
    readonly handled?: {
      readonly subscriber: string
      readonly epoch: number
      readonly from: JournalPlace
      readonly to: JournalPlace
    }
    readonly setAside?: SetAside
    /** An event that was set aside is handled now. */
    readonly takeUp?: { readonly subscriber: string; readonly nodeId: NodeId; readonly seq: number }
    readonly audit?: AuditEntry
  }

/** What a commit wrote, for everything that follows the change. */
export type Committed = {
  /** The events that were appended to the journal, in order. */
  readonly events: readonly JournalEvent[]
  /** Tasks of which something changed, also when no event reports it. */
  readonly tasks: ReadonlySet<TaskId>
  /** The input that was queued. */
  readonly input?: Input
  /** The message that was posted, now or before with the same key. */
  readonly message?: Message
  /** Channels for which there may be something to tell. */
  readonly toTell?: ReadonlySet<string>
}

export type AnswerDraft = {
  readonly taskId: TaskId
  /** The question's number. */
  readonly number: number
  readonly text: string
  /** The number of the option, from 0; null for a free text. */
  readonly option: number | null
  readonly by: string
  readonly at: number
}

/**
 * A shared reason for which several tasks wait: an account's limit, a network that is down, an agent that keeps
 * failing.
 */
export type Gate = {
  readonly key: string
  readonly kind: 'limit' | 'environment' | 'breaker'
  readonly reason: string
  /** Epoch ms. */
  readonly since: number
  readonly until: number
  /** How often a canary failed, so that the gate stayed closed. */
  readonly tries: number
  /** The one task that may go on: if it makes progress, the gate opens. */
  readonly canary: TaskId | null
  /** The tasks whose failures closed the gate, the latest last. */
  readonly failed: readonly FailedBehind[]
}

/** `asCanary`: how often the task failed as the gate's canary. */
export type FailedBehind = { readonly id: TaskId; readonly asCanary: number }

/** An input that is said to a run. TRANSITION_CONFLICT when it was said before: no input is said twice. */
export type Saying = {
  readonly taskId: TaskId
  readonly number: number
  readonly runId: RunId
  readonly at: number
  /** The input begins a turn: the run's result, failure and limit belong to an earlier turn and are deleted. */
  readonly voidsResult: boolean
  /**
   * The line in the input file; null when the input is typed. `offset` must be the run's `inputLength`, which grows by
   * the line.
   */
  readonly written: { readonly line: string; readonly offset: number } | null
}

/** What was read from an agent's event lines, with the offsets up to which it was read. */
export type Reading = {
  readonly taskId: TaskId
  readonly runId: RunId
  /** Must be the stored offset; otherwise nothing is written. */
  readonly fromOffset: number
  readonly offset: number
  readonly outputLength: number
  readonly unknownLines: number
  /** A part of the event file is lost. */
  readonly eventsLost?: boolean
  readonly tokensIn: number
  readonly tokensOut: number
  readonly costUsd: number
  readonly sessionUsage?: SessionUsage
  readonly sessionId?: string
  /**
   * A text that the agent reported as its session id but that cannot be one; safe to print. A known session id is
   * deleted.
   */
  readonly refusedSession?: string
  readonly lastWords?: string
  /** Null deletes an earlier result. */
  readonly result?: AgentResult | null
  /** Numbers of the inputs that the agent has heard. */
  readonly heard?: readonly number[]
  /** Numbers of the prompts whose turn is over. */
  readonly done?: readonly number[]
  /** What both are concluded from; the agent's own word when absent. */
  readonly heardBy?: readonly Evidence[]
  /** Nothing shows that the agent ever had them. */
  readonly unproven?: boolean
  /** Hook violations that are added to those of the task. */
  readonly blocked?: readonly string[]
  /** How many tool calls began. */
  readonly tools?: number
  /** How many tool calls and turns ended. */
  readonly progress?: number
  /** All steps that are kept, with the earlier ones. */
  readonly steps?: readonly RunStep[]
  /** Null deletes an earlier failure. */
  readonly failure?: FailureClass | null
  /** Epoch ms; null deletes an earlier time. */
  readonly limitedUntil?: number | null
}
