// Owns what the core asks of the store. The store is several small ports, so that each function names the part it uses.
import type { AuditKind } from '../domain/names/audit-kinds.ts'
import type { NodeId, OrderId, RunId, TaskId, TriggerId } from '../domain/names/ids.ts'
import type { Evidence } from '../domain/task/evidence.ts'
import type { Phase, StatusBefore, TaskEvent, TaskStatus } from '../domain/task/machine.ts'
import type { Order } from '../domain/task/order.ts'
import type { WantedState } from '../domain/task/status-view.ts'
import type {
  Input,
  Question,
  QueuedTask,
  Run,
  Task,
  TaskRow,
  TaskSummary,
  TimedTask,
  Trigger,
  TriggerStep,
  Workspace,
} from '../domain/task/task.ts'
import type { TriggerState } from '../domain/trigger/machine.ts'
import type { JournalReads } from './journal.ts'
import type { NoticeReads } from './notices.ts'
import type { OutboxReads } from './outbox.ts'
import type { RuntimeReads } from './runtimes.ts'
import type { AuditEntry, Change, Committed, Gate, TaskKey } from './store-changes.ts'
import type { ThreadReads } from './threads.ts'

export type Transition = {
  readonly taskId: TaskId
  /** 1, 2, 3… per task. */
  readonly number: number
  readonly event: TaskEvent
  readonly from: StatusBefore
  readonly to: TaskStatus
  readonly phase: Phase | null
  readonly reason: string
  readonly evidence: readonly Evidence[]
  readonly runId: RunId | null
  readonly at: number
}

export type TaskFilter = {
  readonly statuses?: readonly TaskStatus[]
  /** Tasks in any of these states, which are finer than statuses. */
  readonly states?: readonly WantedState[]
  readonly tag?: string
  readonly project?: string
  /** True: archived tasks alone. Otherwise: without archived tasks. */
  readonly archived?: boolean
  readonly limit?: number
}
export type ListFilter = Omit<TaskFilter, 'limit'> & {
  /** Runtimes too. Otherwise they are left out. */
  readonly runtimes?: boolean
}

/**
 * A place in the list: right after this task. Tasks that have not ended come first, then the ended ones; each part
 * newest first.
 */
export type ListPlace = { readonly ended: boolean; readonly createdAt: number; readonly id: string }

export type PageAsk = {
  /** Null: from the beginning of the list. */
  readonly after: ListPlace | null
  /** At most so many tasks. */
  readonly most: number
  /** Among them, at most so many that have ended. */
  readonly mostEnded: number
}
/** A page may have few items, or none, although more follow: `next` is null only at the end of the list. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next: ListPlace | null }

export type Archivable = { readonly id: TaskId; readonly endedAt: number }

/** How many tasks of the list have this status and phase. */
export type ListCount = {
  readonly status: TaskStatus
  readonly phase: Phase | null
  readonly hasStarted: boolean
  readonly count: number
}

/**
 * Epoch ms. Events are deleted only from the beginning of each node's sequence, and runs only of ended tasks; the last
 * run of each task stays. Settled orders are kept as long as audit rows; what parents were told, and what was worked off by
 * tasks that go on, as long as events.
 */
export type PruneLimits = {
  readonly eventsBefore: number
  /** Events before this are deleted although a subscriber has not handled them. */
  readonly eventsBeforeAll: number
  readonly auditBefore: number
  readonly runsBefore: number
  /** Messages, with threads in which nothing was posted since. */
  readonly messagesBefore: number
}
export type Pruned = {
  readonly events: number
  readonly audit: number
  readonly runs: number
  readonly messages: number
  readonly threads: number
  /** Subscribers for which events were kept that are old enough to be deleted. */
  readonly heldBy: readonly string[]
}

export type TaskCounts = Readonly<Record<TaskStatus, number>>

/** Whose store this is: the node, and the epoch that all its writes carry. */
export interface OwnNode {
  readonly nodeId: NodeId
  readonly epoch: number
}

/** The only way to write. */
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

export interface TaskReads {
  task(id: TaskId): Promise<Task | undefined>
  /** The task that this caller made with this key. */
  taskWithKey(createdBy: string, key: string): Promise<TaskKey | undefined>
  /** Newest first. Reads all matching tasks: use it with a limit, or where there are few. */
  tasks(filter?: TaskFilter): Promise<TaskSummary[]>
  transitions(taskId: TaskId): Promise<Transition[]>
  /** Ended tasks of this node whose closing acts (state file, pane, secrets) are not known to be done. */
  untidied(): Promise<TaskId[]>
  /** The tasks that this one started and that have not ended. */
  livingChildren(parentId: TaskId): Promise<TaskId[]>
  /** These, and those of which it is still to be told something. */
  untoldChildren(parentId: TaskId): Promise<TaskId[]>
}

export interface TaskLists {
  /** A page of the list. It is read in a few milliseconds, however many tasks there are. */
  taskPage(filter: ListFilter, ask: PageAsk): Promise<Page<TaskSummary>>
  /** The same tasks in the same order, but only what a table shows. */
  rowPage(filter: ListFilter, ask: PageAsk): Promise<Page<TaskRow>>
  /**
   * How many tasks the whole list has. Ended tasks come from counters, unless a tag or project is given; the others are
   * counted.
   */
  listTotals(filter: ListFilter): Promise<ListCount[]>
  /** How many tasks there are, from counters. */
  counts(): Promise<TaskCounts>
}

export interface TaskNames {
  /** At most `most` ids that begin with the text. */
  taskIdsLike(prefix: string, most: number): Promise<TaskId[]>
  /** At most `most` ids that contain the text, the latest first. Reads all ids. */
  taskIdsWith(part: string, most: number): Promise<TaskId[]>
  /** Tasks with exactly this name: first those that have not ended, then the ended ones; each part newest first. */
  tasksNamed(name: string, most: number): Promise<Pick<TaskSummary, 'id' | 'status'>[]>
  /** The task that was created last and is not archived. */
  newestTask(): Promise<TaskId | undefined>
}

export interface Queue {
  /**
   * Pending tasks of this node in the order of launch: by priority, then those that were started before, then by age.
   * Runtimes are not among them: they need no slot.
   */
  queue(most: number): Promise<QueuedTask[]>
  /** Pending runtimes of this node, oldest first. */
  queuedRuntimes(): Promise<QueuedTask[]>
  /** The task's place in the queue, from 1; null when the task is not pending. */
  queuePosition(id: TaskId): Promise<number | null>
  /** Tasks of this node that are backing off or parked; the one whose time comes first is first. */
  waiting(): Promise<TimedTask[]>
}

export interface RunReads {
  run(id: RunId): Promise<Run | undefined>
  runsOf(taskId: TaskId): Promise<Run[]>
  /** Runs of this node that are launching or live. */
  openRuns(): Promise<Run[]>
  /** Runs of this node and account, or of all accounts, that ended at or after `since`, newest first. */
  endedRuns(since: number, account: string | null): Promise<Run[]>
}

export interface ConversationReads {
  /** All inputs of a task, said or not, in order. */
  inputs(taskId: TaskId): Promise<Input[]>
  /** The questions of a task that are not settled, oldest first. */
  openQuestions(taskId: TaskId): Promise<Question[]>
  /** Settled or not. */
  question(taskId: TaskId, number: number): Promise<Question | undefined>
  /** The questions of all unended tasks of this node that are not settled, oldest first. */
  allOpenQuestions(): Promise<Question[]>
}

export type TriggerFilter = {
  readonly thread?: string
  readonly taskId?: TaskId
  readonly state?: TriggerState
  readonly limit: number
}

/** One wake-up because of a message: of which thread, on whose behalf, and when (epoch ms). */
export type Wake = { readonly thread: string; readonly by: string; readonly at: number }

export interface TriggerReads {
  trigger(id: TriggerId): Promise<Trigger | undefined>
  /** The one that this key names for the task. */
  triggerWithKey(taskId: TaskId, key: string): Promise<Trigger | undefined>
  /** Oldest first. */
  triggerSteps(id: TriggerId): Promise<TriggerStep[]>
  /** Newest first. */
  triggers(filter: TriggerFilter): Promise<Trigger[]>
  /** Those of this node's tasks that are in one of these states, oldest first. */
  triggersIn(states: readonly TriggerState[]): Promise<Trigger[]>
  /** Those of the task that were sent for this reason and whose agent does not have them yet, oldest first. */
  unsubmitted(taskId: TaskId, reason: string): Promise<Trigger[]>
  /** When agents were woken because of messages, from `since` (epoch ms) on; not those that still wait for a free place. */
  wakesSince(since: number): Promise<Wake[]>
}

export interface GateReads {
  gates(): Promise<Gate[]>
}

export interface OrderReads {
  order(id: OrderId): Promise<Order | undefined>
  /** The order of this task that was given with this key. */
  orderWithKey(taskId: TaskId, key: string): Promise<Order | undefined>
  /** Newest first. */
  ordersOf(taskId: TaskId, most: number): Promise<Order[]>
  /** The orders for this node's tasks that are not settled, oldest first. */
  openOrders(): Promise<Order[]>
  /** How many moves the task has made; undefined when there is no such task. */
  taskVersion(id: TaskId): Promise<number | undefined>
}

export interface AuditReads {
  /** Newest first; `since` is included. */
  audits(filter: { since?: number; taskId?: TaskId; kind?: AuditKind; limit?: number }): Promise<AuditEntry[]>
  /** A page of at most `most` rows, newest first. `next` is the `after` of the next page; null at the end. */
  auditPage(
    filter: { since?: number; taskId?: TaskId; kind?: AuditKind },
    ask: { after: number | null; most: number },
  ): Promise<{ items: AuditEntry[]; next: number | null }>
}

export interface WorkspaceReads {
  workspaces(): Promise<Workspace[]>
}

export interface Retention {
  /**
   * Tidied tasks of this node that ended before this time and are not archived, oldest first. `statuses`: all ended ones
   * when absent. `archived`: archived tasks, too.
   */
  archivable(
    endedBefore: number,
    most: number,
    only?: {
      readonly statuses?: readonly TaskStatus[]
      readonly after?: Archivable
      readonly archived?: boolean
    },
  ): Promise<Archivable[]>
  /**
   * Deletes what is older, at most `most` of each kind per call: call again until nothing is deleted. Events that a
   * registered subscriber has not handled stay, unless they are older than `eventsBeforeAll`.
   */
  prune(before: PruneLimits, most: number): Promise<Pruned>
}

/**
 * Everything that Holdfast must not forget. Every write carries the epoch that was taken when the store was opened: when
 * another daemon has taken a newer epoch, writes throw STALE_EPOCH and change nothing. A full disk throws DISK_FULL, a
 * locked database STORE_LOCKED.
 */
export interface Store
  extends Commits,
    TaskReads,
    TaskLists,
    TaskNames,
    Queue,
    RunReads,
    RuntimeReads,
    ConversationReads,
    TriggerReads,
    GateReads,
    OrderReads,
    AuditReads,
    WorkspaceReads,
    JournalReads,
    ThreadReads,
    OutboxReads,
    NoticeReads,
    Retention,
    OwnNode {
  close(): Promise<void>
}

/** The part of the store that a function reads. */
export type Reads<Part> = { readonly store: Part }
