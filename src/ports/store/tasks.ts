// Owns how tasks are written and read: drafts, moves, transitions, names.

import type { RunId, TaskId } from '../../domain/names/ids.ts'
import type { ChildNews } from '../../domain/task/child-news.ts'
import type { Evidence } from '../../domain/task/evidence.ts'
import type { Phase, StatusBefore, TaskEvent, TaskStatus } from '../../domain/task/machine.ts'
import type { PhaseChange } from '../../domain/task/state.ts'
import type { WantedState } from '../../domain/task/status-view.ts'
import type { Snapshot, Task, TaskFacts, TaskSummary } from '../../domain/task/task.ts'

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

export interface TaskReads {
  task(id: TaskId): Promise<Task | undefined>
  /** Newest first. Reads all matching tasks: use it with a limit, or where there are few. */
  tasks(filter?: TaskFilter): Promise<TaskSummary[]>
  transitions(taskId: TaskId): Promise<Transition[]>
  /** Ended tasks of this node whose closing acts (state file, pane, secrets) are not known to be done. */
  untidied(): Promise<TaskId[]>
  /** The tasks that this one started and that have not ended; without those at rest, once there is a row about that for it. */
  livingChildren(parentId: TaskId): Promise<TaskId[]>
  /** These, and those of which it is still to be told something. */
  untoldChildren(parentId: TaskId): Promise<TaskId[]>
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
  /** What the task that started this one is told of the move; a row for it, or for the nearest ancestor that lives, is in the same commit. */
  readonly tellsParent: ChildNews | null
  /** What becomes of prompts that have not reached the agent: given up, queued again after they were given up, or left as they are. */
  readonly waitingPrompts: 'give_up' | 'queue_again' | 'leave'
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
