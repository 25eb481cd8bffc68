// Owns what the core asks of a task's files.
import type { RunId } from '../../domain/names/ids.ts'
import type { TaskSummary } from '../../domain/task/task.ts'
import type { TaskDraft } from '../store/tasks.ts'
import type { TreeBase } from './work-tree.ts'

export type LogLevel = 'INFO' | 'WARN' | 'ERROR'
/** `at`: epoch ms. */
export type LogLine = { readonly at: number; readonly level: LogLevel; readonly message: string }

/** What was found as the agent's result file. */
export type ResultFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'refused'; readonly why: string }

export type TaskLog = 'output.log' | 'session.log'

/** The text of the clock in an agent's statusline, and the run that showed it. */
export type ClockSeen = { readonly runId: RunId; readonly clock: string }

/** Enough of a task to find its files. */
export type TaskPlace = Pick<TaskSummary, 'id' | 'project'> & Partial<Pick<TaskSummary, 'archivedAt'>>

/**
 * A task's files. The originals are in the home. The handoff directory in the project is a view of them: agents may
 * write, replace and delete it without harm. After `create`, no method throws because of the view.
 */
export interface Handoff {
  /**
   * Called before the task is stored. Writes a draft marker, then the originals (the environment with mode 0600), then an
   * empty directory for the view. An error leaves nothing behind: TASK_EXISTS when the id has files already,
   * HANDOFF_UNSAFE when something that is not ours is in the view's place.
   */
  create(draft: TaskDraft, env: Readonly<Record<string, string>>): Promise<void>
  /** Called when the task is stored: it is no draft any more. Fills the view, then removes the draft marker. */
  finishDraft(task: TaskPlace): Promise<void>
  /** Removes everything that `create` made: of a draft that was not stored, or of a task that is removed. */
  removeFiles(task: TaskPlace): Promise<void>
  /** The tasks whose draft marker is still there: a crash came between `create` and `finishDraft` or `removeFiles`. */
  drafts(): Promise<TaskPlace[]>
  /** Replaces state.json, original and view, each atomically. */
  writeState(task: TaskSummary): Promise<void>
  /** Appends lines `[time] [LEVEL] message` to session.log (original and view) and to the global log. */
  log(task: TaskPlace, lines: readonly LogLine[]): Promise<void>
  /** How many lines of `log` the original session.log has, without remarks. An incomplete last line is cut off first. */
  logLength(task: TaskPlace): Promise<number>
  /** Adds a remark on the task's disk usage to session.log and the global log. `logLength` does not count it. */
  remarkOnDisk(task: TaskPlace, remark: string): Promise<void>
  /** Cuts the original output.log to `at` bytes, then appends; the view follows. Returns the new length. */
  appendOutput(task: TaskPlace, at: number, text: string): Promise<number>
  /** The bytes of an original log, from an offset to its current end. Also reads a packed log. */
  readLog(task: TaskPlace, log: TaskLog, offset: number): AsyncIterable<Uint8Array>
  /** How many bytes `readLog` would give from the beginning, as of now. */
  logSize(task: TaskPlace, log: TaskLog): Promise<number>
  /** Reads the view's result.json. It must be a regular file, not too large, and JSON. */
  readResult(task: TaskPlace): Promise<ResultFile>
  /** Replaces result.json, original and view. */
  writeResult(task: TaskPlace, json: string): Promise<void>
  /** The text of the original result.json. */
  result(task: TaskPlace): Promise<string | undefined>
  /** Keeps the last screen of the task's terminal. */
  writeScreen(task: TaskPlace, screen: string): Promise<void>
  screen(task: TaskPlace): Promise<string | undefined>
  /** Keeps the statusline clock that a run last showed. */
  keepClock(task: TaskPlace, seen: ClockSeen): Promise<void>
  clockSeen(task: TaskPlace): Promise<ClockSeen | undefined>
  /** Keeps what the repository looked like when the task began. */
  keepTreeBase(task: TaskPlace, base: TreeBase): Promise<void>
  treeBase(task: TaskPlace): Promise<TreeBase | undefined>
  /** Puts back what was deleted or altered in the view. */
  repair(task: TaskSummary): Promise<void>
  /** The environment that the caller gave at `create` or `reopen`; empty after `close`. */
  env(task: TaskPlace): Promise<Readonly<Record<string, string>>>
  /** For a task that is brought back after its end: stores an environment again. */
  reopen(task: TaskPlace, env: Readonly<Record<string, string>>): Promise<void>
  /** For an ended task: deletes the environment and closes open files. */
  close(task: TaskPlace): Promise<void>
  /**
   * For an ended task: the view moves to the archive, or is created there again, and large logs are packed. Doing it
   * twice has the same effect as once. The files of a reopened task come back by themselves.
   */
  archive(task: TaskSummary, at: number): Promise<void>
  paths(task: TaskPlace): HandoffPaths
}

/** Absolute paths, for people, agents and JSON. */
export type HandoffPaths = {
  /** The handoff directory in the project. */
  readonly view: string
  readonly promptFile: string
  readonly resultFile: string
  /** The original output.log in the home, which the pane shows. It may be packed (`.gz`) if the task is archived. */
  readonly outputLog: string
}
