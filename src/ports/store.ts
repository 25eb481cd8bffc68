import type { Evidence } from '../domain/evidence.ts'
import type { RestartOrder } from '../domain/go-on.ts'
import type { NodeId, RunId, TaskId, WorkspaceId } from '../domain/ids.ts'
import type {
  Input,
  Question,
  Run,
  StopOrder,
  Task,
  TaskRow,
  TaskSummary,
  Workspace,
} from '../domain/task.ts'
import type { Phase, TaskEvent, TaskState, TaskStatus } from '../domain/task-machine.ts'
import type { AuditEntry, Change, Gate, InputDraft, Reading, Saying, TaskDraft } from './store-changes.ts'

export type StoredEvent = {
  /** Gapless, in commit order: a reader that saw n continues with n+1. */
  readonly seq: number
  readonly nodeId: NodeId
  readonly at: number
  readonly kind: string
  readonly taskId: TaskId | null
  readonly data: Readonly<Record<string, unknown>>
}

export type Transition = {
  readonly taskId: TaskId
  /** 1, 2, 3… per task. */
  readonly number: number
  readonly event: TaskEvent
  readonly from: TaskState
  readonly to: TaskStatus
  readonly phase: Phase | null
  readonly reason: string
  readonly evidence: readonly Evidence[]
  readonly runId: RunId | null
  readonly at: number
}

export type TaskFilter = {
  readonly statuses?: readonly TaskStatus[]
  readonly tag?: string
  readonly project?: string
  /** True: those alone. Otherwise they are left out. */
  readonly archived?: boolean
  readonly limit?: number
}

/** Times: events go from the front of the sequence only; of ended tasks' runs the last one stays. */
export type PruneLimits = {
  readonly eventsBefore: number
  readonly auditBefore: number
  readonly runsBefore: number
}
export type Pruned = { readonly events: number; readonly audit: number; readonly runs: number }

export type TaskCounts = Readonly<Record<TaskStatus, number>>

/**
 * What we promised to remember. Every write carries the epoch taken at `open`: after another holder
 * took a newer one, writes throw STALE_EPOCH and change nothing. Full or locked disks throw DISK_FULL or STORE_LOCKED.
 */
export interface Store {
  readonly nodeId: NodeId
  readonly epoch: number
  /** TASK_EXISTS when the id is taken. Task, transition, event, counter and audit row together. It is promised once `onDisk` resolves. */
  createTask(draft: TaskDraft, audit: AuditEntry): Promise<Task>
  task(id: TaskId): Promise<Task | undefined>
  /** Newest first. */
  tasks(filter?: TaskFilter): Promise<TaskSummary[]>
  /** The same tasks in the same order, but only what a table shows. */
  rows(filter?: TaskFilter): Promise<TaskRow[]>
  /** Ids that begin with the text, at most `most`. */
  taskIdsLike(prefix: string, most: number): Promise<TaskId[]>
  /** From counters, not by counting. */
  counts(): Promise<TaskCounts>
  /** Pending tasks of this node in launch order: priority, then those that began, then age. */
  queue(most: number): Promise<TaskSummary[]>
  /** One decision: TRANSITION_CONFLICT when `from` no longer holds, INVALID_TRANSITION when the table forbids it. */
  record(change: Change): Promise<void>
  /** Does not wait for the disk. For what a power cut would undo anyway: a process that was to be started. */
  recordSoon(change: Change): Promise<void>
  /** Resolves when everything written before the call would survive a power cut. */
  onDisk(): Promise<void>
  /** Once: a second order, or one for an ended task, changes nothing and returns false. */
  orderStop(id: TaskId, order: StopOrder, audit: AuditEntry): Promise<boolean>
  /** Once, like a stop; a stop goes before it. */
  orderRestart(id: TaskId, order: RestartOrder, audit: AuditEntry): Promise<boolean>
  /** Backing-off and parked tasks of this node, those due first. */
  waiting(): Promise<TaskSummary[]>
  gates(): Promise<Gate[]>
  /** Runs of this node and account that ended at or after `since`, newest first. */
  endedRuns(since: number, account: string): Promise<Run[]>
  /** One more daemon died while it handled these. */
  noteDaemonDeath(runIds: readonly RunId[]): Promise<void>
  /** A daemon handled it and lives. */
  forgiveDaemonDeaths(runId: RunId): Promise<void>
  /** TRANSITION_CONFLICT when `fromOffset` is not the stored one. What the lines decided commits with them. */
  recordReading(reading: Reading, change?: Change): Promise<void>
  /** Ended tasks of this node whose closing acts (state file, pane, secrets) are not known to be done. */
  untidied(): Promise<TaskId[]>
  markTidied(id: TaskId): Promise<void>
  /** Something is about to be put beside an ended task again: should it come to nothing, it is tidied up anew. */
  markUntidied(id: TaskId): Promise<void>
  /** Tidied tasks of this node that ended before this and are not archived, the oldest first. `statuses`: all ended ones when absent. */
  archivable(endedBefore: number, most: number, statuses?: readonly TaskStatus[]): Promise<TaskSummary[]>
  /** Once, and only a tidied task of this node; false otherwise. Reopening takes it out of the archive. */
  markArchived(id: TaskId, at: number): Promise<boolean>
  /** Forgets what is older, at most `most` of each kind per call: call again while something was. */
  prune(before: PruneLimits, most: number): Promise<Pruned>
  /** Everything said to a task, or to be said, in order. */
  inputs(taskId: TaskId): Promise<Input[]>
  /** Queues one for a task that has not ended; undefined when it has. */
  addInput(input: InputDraft, audit: AuditEntry): Promise<Input | undefined>
  /** TRANSITION_CONFLICT when it was said before, or `offset` is not the run's input length. A prompt voids the run's result. */
  say(saying: Saying): Promise<void>
  /** What a task asked and is not settled, oldest first. */
  openQuestions(taskId: TaskId): Promise<Question[]>
  /** Those of all unended tasks of this node, oldest first. */
  allOpenQuestions(): Promise<Question[]>
  /** Once: false when it is settled or answered. The answer is queued as an input by the same commit. */
  answer(
    question: Pick<Question, 'taskId' | 'number'>,
    answer: {
      readonly text: string
      readonly option: number | null
      readonly by: string
      readonly at: number
    },
    audit: AuditEntry,
  ): Promise<boolean>
  run(id: RunId): Promise<Run | undefined>
  runsOf(taskId: TaskId): Promise<Run[]>
  /** Runs of this node that are launching or live. */
  openRuns(): Promise<Run[]>
  transitions(taskId: TaskId): Promise<Transition[]>
  /** A fact worth telling that moves no task (the tmux server died, a view was replaced). */
  tell(event: {
    at: number
    kind: string
    taskId: TaskId | null
    data: Record<string, unknown>
  }): Promise<void>
  events(after: number, most: number, taskId?: TaskId): Promise<StoredEvent[]>
  lastSeq(): Promise<number>
  /** The last event that a reader of this name is done with. */
  cursor(name: string): Promise<number | undefined>
  /** Never backwards. */
  moveCursor(name: string, seq: number, at: number): Promise<void>
  audit(entry: AuditEntry): Promise<void>
  /** Newest first; `since` is included. */
  audits(filter: { since?: number; taskId?: TaskId; kind?: string; limit?: number }): Promise<AuditEntry[]>
  /** A path that is known returns what is stored; a slug that is taken gets a number. */
  addWorkspace(workspace: Workspace): Promise<Workspace>
  workspaces(): Promise<Workspace[]>
  /** False when there is none. WORKSPACE_IN_USE while a task there has not ended. */
  removeWorkspace(id: WorkspaceId): Promise<boolean>
  close(): Promise<void>
}
