// Owns writing: the change that one transaction writes, and what it wrote.

import type { HandledEvent } from '../../domain/journal/cause.ts'
import type { EventDraft, JournalEvent } from '../../domain/journal/events.ts'
import type { JournalPlace } from '../../domain/journal/place.ts'
import type { NodeId, OrderId, RunId, TaskId, TriggerId, WorkspaceId } from '../../domain/names/ids.ts'
import type { Heartbeat } from '../../domain/run/heartbeat.ts'
import type { Evidence } from '../../domain/task/evidence.ts'
import type { RestartOrder } from '../../domain/task/go-on.ts'
import type { Input } from '../../domain/task/input.ts'
import type { OrderDraft, OrderOutcome, OrderState } from '../../domain/task/order.ts'
import type { Question } from '../../domain/task/question.ts'
import type { Run, RunStep } from '../../domain/task/run.ts'
import type { StopOrder } from '../../domain/task/task.ts'
import type { Workspace } from '../../domain/task/workspace.ts'
import type { Message } from '../../domain/thread/thread.ts'
import type { TriggerCode } from '../../domain/trigger/codes.ts'
import type { AuditEntry } from './audit.ts'
import type { AnswerDraft, InputDraft, QuestionDraft, Saying } from './conversation.ts'
import type { Gate } from './gates.ts'
import type { SetAside } from './journal.ts'
import type { NoticeChange } from './notices.ts'
import type { Reading } from './reading.ts'
import type { KeyedRequest } from './request-keys.ts'
import type { RunDraft, RunMove } from './runs.ts'
import type { RuntimeChange } from './runtimes.ts'
import type { TaskDraft, TaskMove } from './tasks.ts'
import type { ThreadChange } from './threads.ts'
import type { TriggerMove } from './triggers.ts'

/** The way to write. Beside it there are only `JournalReaders` and `Pruning`, which append no events. */
export interface Commits {
  /**
   * Resolves when the change would survive a power cut. TRANSITION_CONFLICT when the facts on which the change was
   * decided no longer hold, INVALID_TRANSITION when the transition table forbids it.
   */
  commit(change: Change): Promise<Committed>
  /**
   * As `commit`, but does not wait for the disk. For a step that a power cut would undo anyway, such as starting a
   * process.
   */
  commitSoon(change: Change): Promise<Committed>
  /** Resolves when everything written before the call would survive a power cut. */
  onDisk(): Promise<void>
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
    /** Together with what the request makes. TRANSITION_CONFLICT when one with this key was carried out before. */
    readonly requestKey?: KeyedRequest
    readonly task?: TaskMove
    readonly newRun?: RunDraft
    readonly run?: RunMove
    /** Queued after all earlier inputs. The task must not have ended. */
    readonly input?: InputDraft
    readonly say?: Saying
    /** Before Enter is pressed on a queued input: should the terminal die with the answer, the next run looks whether it arrived. */
    readonly entering?: { readonly taskId: TaskId; readonly number: number; readonly runId: RunId }
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
      /** How the run that takes its place begins. */
      readonly how: Run['how']
      readonly at: number
      /** How the run before ended. */
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
    /** The order of which this is the effect: a daemon that finds it begun does not carry it out again. */
    readonly effectOf?: OrderId
    /** What was read from an agent's event lines. What follows from the lines is in the same commit. */
    readonly reading?: Reading
    /** An event for the journal, besides those that the other parts append. */
    readonly event?: EventDraft
    /**
     * The event that a subscriber handles with this change: the events of the change follow from it. EVENT_LOOP when too many
     * led to it already, and the change would append more.
     */
    readonly cause?: HandledEvent
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
    /** What the agent of a live run says about itself; the registry follows where it is a runtime. */
    readonly heartbeat?: Heartbeat & { readonly runId: RunId }
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
    /** The journal keeps no more events for this subscriber. TRANSITION_CONFLICT when somebody took it since it was read. */
    readonly forgetSubscriber?: { readonly name: string; readonly epoch: number }
    readonly audit?: AuditEntry
  }

/** What a commit wrote, for everything that follows the change. */
export type Committed = {
  /** Channels for which there may be something to tell. */
  readonly toTell?: ReadonlySet<string>
  /** The events that were appended to the journal, in order. */
  readonly events: readonly JournalEvent[]
  /** Tasks of which something changed, also when no event reports it. */
  readonly tasks: ReadonlySet<TaskId>
  /** The input that was queued. */
  readonly input?: Input
  /** The message that was posted, now or before with the same key. */
  readonly message?: Message
  /** What a run did, as far as it is kept, when it did something. */
  readonly did?: Pick<Reading, 'taskId' | 'runId'> & { readonly steps: readonly RunStep[] }
}
