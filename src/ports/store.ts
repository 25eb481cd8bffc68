// Owns what the core asks of its memory. It is several small ports, so that each function names the part it uses.
import type { AuditKind } from '../domain/names/audit-kinds.ts'
import type { NodeId, OrderId, RunId, TaskId } from '../domain/names/ids.ts'
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
  Workspace,
} from '../domain/task/task.ts'
import type { JournalReads } from './journal.ts'
import type { RuntimeReads } from './runtimes.ts'
import type { AuditEntry, Change, Committed, Gate } from './store-changes.ts'

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
  /** Any of these; finer than statuses. */
  readonly states?: readonly WantedState[]
  readonly tag?: string
  readonly project?: string
  /** True: those alone. Otherwise they are left out. */
  readonly archived?: boolean
  readonly limit?: number
}
export type ListFilter = Omit<TaskFilter, 'limit'> & {
  /** Runtimes too. Otherwise they are left out. */
  readonly runtimes?: boolean
}

/** A place in the list: right after this task. Those that have not ended come first, each part newest first. */
export type ListPlace = { readonly ended: boolean; readonly createdAt: number; readonly id: string }

export type PageAsk = {
  /** Null: from the beginning. */
  readonly after: ListPlace | null
  /** Of all. */
  readonly most: number
  /** Of those that have ended. */
  readonly mostEnded: number
}
/** May hold fewer than asked, or none, though there are more: `next` is null only at the end of the list. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next: ListPlace | null }

export type Archivable = { readonly id: TaskId; readonly endedAt: number }

/** How many tasks of the list have this status and phase. */
export type ListCount = {
  readonly status: TaskStatus
  readonly phase: Phase | null
  readonly hasStarted: boolean
  readonly count: number
}

/** Times: events go from the front of each node's sequence only; of ended tasks' runs the last one stays. */
export type PruneLimits = {
  readonly eventsBefore: number
  /** Events before this go although a subscriber has not handled them. */
  readonly eventsBeforeAll: number
  readonly auditBefore: number
  readonly runsBefore: number
}
export type Pruned = {
  readonly events: number
  readonly audit: number
  readonly runs: number
  /** Subscribers that keep events which would be old enough to go. */
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
   * TRANSITION_CONFLICT when what the change was decided on no longer holds, INVALID_TRANSITION when the table forbids
   * it. Resolves when the change would survive a power cut.
   */
  commit(change: Change): Promise<Committed>
  /** Does not wait for the disk. For what a power cut would undo anyway: a process that was to be started. */
  commitSoon(change: Change): Promise<Committed>
  /** Resolves when everything written before the call would survive a power cut. */
  onDisk(): Promise<void>
}

export interface TaskReads {
  task(id: TaskId): Promise<Task | undefined>
  /** Newest first. Only with a limit, or where they are few: it reads all that fit. */
  tasks(filter?: TaskFilter): Promise<TaskSummary[]>
  transitions(taskId: TaskId): Promise<Transition[]>
  /** Ended tasks of this node whose closing acts (state file, pane, secrets) are not known to be done. */
  untidied(): Promise<TaskId[]>
}

export interface TaskLists {
  /** A part of the list that is read in a few milliseconds, however many tasks there are. */
  taskPage(filter: ListFilter, ask: PageAsk): Promise<Page<TaskSummary>>
  /** The same tasks in the same order, but only what a table shows. */
  rowPage(filter: ListFilter, ask: PageAsk): Promise<Page<TaskRow>>
  /** How many the whole list has. Ended ones come from counters, unless a tag or a project is named; the rest is counted bit by bit. */
  listTotals(filter: ListFilter): Promise<ListCount[]>
  /** From counters, not by counting. */
  counts(): Promise<TaskCounts>
}

export interface TaskNames {
  /** Ids that begin with the text, at most `most`. */
  taskIdsLike(prefix: string, most: number): Promise<TaskId[]>
  /** Ids that contain the text, the latest first, at most `most`. Walks all ids. */
  taskIdsWith(part: string, most: number): Promise<TaskId[]>
  /** Tasks that were given exactly this name: those that have not ended, then the ended ones, each newest first. */
  tasksNamed(name: string, most: number): Promise<Pick<TaskSummary, 'id' | 'status'>[]>
  /** The one created last that is not in the archive. */
  newestTask(): Promise<TaskId | undefined>
}

export interface Queue {
  /** Pending tasks of this node in launch order: priority, then those that began, then age. Without runtimes: they need no slot. */
  queue(most: number): Promise<QueuedTask[]>
  /** Pending runtimes of this node, oldest first. */
  queuedRuntimes(): Promise<QueuedTask[]>
  /** Its place in the queue, from 1; null when it is not pending. */
  queuePosition(id: TaskId): Promise<number | null>
  /** Backing-off and parked tasks of this node, those due first. */
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
  /** Everything said to a task, or to be said, in order. */
  inputs(taskId: TaskId): Promise<Input[]>
  /** What a task asked and is not settled, oldest first. */
  openQuestions(taskId: TaskId): Promise<Question[]>
  /** Those of all unended tasks of this node, oldest first. */
  allOpenQuestions(): Promise<Question[]>
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
  /** Those of this node's tasks that are not settled, oldest first. */
  openOrders(): Promise<Order[]>
  /** How many moves the task has made; undefined when there is none. */
  taskVersion(id: TaskId): Promise<number | undefined>
}

export interface AuditReads {
  /** Newest first; `since` is included. */
  audits(filter: { since?: number; taskId?: TaskId; kind?: AuditKind; limit?: number }): Promise<AuditEntry[]>
  /** The same bit by bit, at most `most` at a time; `next` is null at the end, and to be given as `after`. */
  auditPage(
    filter: { since?: number; taskId?: TaskId; kind?: AuditKind },
    ask: { after: number | null; most: number },
  ): Promise<{ items: AuditEntry[]; next: number | null }>
}

export interface WorkspaceReads {
  workspaces(): Promise<Workspace[]>
}

export interface Retention {
  /** Tidied tasks of this node that ended before this and are not archived, the oldest first. `statuses`: all ended ones when absent. `archived`: those of the archive too. */
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
   * Forgets what is older, at most `most` of each kind per call: call again while something was. Events that a
   * registered subscriber has not handled stay, unless they are older than `eventsBeforeAll`.
   */
  prune(before: PruneLimits, most: number): Promise<Pruned>
}

/**
 * What we promised to remember. Every write carries the epoch taken at `open`: after another holder
 * took a newer one, writes throw STALE_EPOCH and change nothing. Full or locked disks throw DISK_FULL or STORE_LOCKED.
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
    GateReads,
    OrderReads,
    AuditReads,
    WorkspaceReads,
    JournalReads,
    Retention,
    OwnNode {
  close(): Promise<void>
}

/** The parts of the store that a function reads. */
export type Reads<Part> = { readonly store: Part }
