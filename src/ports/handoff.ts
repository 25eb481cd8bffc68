import type { RunId } from '../domain/names/ids.ts'
import type { TaskSummary } from '../domain/task/task.ts'
import type { TaskDraft } from './store-changes.ts'

export type LogLevel = 'INFO' | 'WARN' | 'ERROR'
export type LogLine = { readonly at: number; readonly level: LogLevel; readonly message: string }

/** What came of looking for the agent's result file. */
export type ResultFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'refused'; readonly why: string }

export type TaskLog = 'output.log' | 'session.log'

export type ClockSeen = { readonly runId: RunId; readonly clock: string }

/** Enough of a task to find its files. */
export type TaskPlace = Pick<TaskSummary, 'id' | 'project'> & Partial<Pick<TaskSummary, 'archivedAt'>>

/**
 * A task's files. Originals lie in the home; the handoff directory in the project is a view of them
 * that agents may write, swap and delete without harming anybody. After `create`, no method throws because of the view.
 */
export interface Handoff {
  /** Before the task is stored: a draft marker first, then originals (the environment 0600 among them), then the view's directory, still empty. An error leaves nothing behind: TASK_EXISTS when the id has files already, HANDOFF_UNSAFE when something foreign is in the view's place. */
  create(draft: TaskDraft, env: Readonly<Record<string, string>>): Promise<void>
  /** The task is stored: the view is filled, then the draft marker goes. */
  commit(task: TaskPlace): Promise<void>
  /** Removes all that `create` made, for a task that was not stored. */
  discard(task: TaskPlace): Promise<void>
  /** Markers that a crash left between `create` and `commit` or `discard`. */
  drafts(): Promise<TaskPlace[]>
  /** state.json, atomically, original and view. */
  writeState(task: TaskSummary): Promise<void>
  /** Lines `[time] [LEVEL] message` in session.log (original and view) and in the global log. */
  log(task: TaskPlace, lines: readonly LogLine[]): Promise<void>
  /** How many lines `log` has in the original session.log; a torn last line is cut off first, our own remarks don't count. */
  logLength(task: TaskPlace): Promise<number>
  /** A remark on the room that it takes, in session.log and the global log; not counted. */
  remarkOnDisk(task: TaskPlace, remark: string): Promise<void>
  /** Cuts the original output.log to `at` bytes, then appends; the view follows. Returns the new length. */
  appendOutput(task: TaskPlace, at: number, text: string): Promise<number>
  /** The original log's bytes from an offset to its end so far, also where it is packed. */
  readLog(task: TaskPlace, log: TaskLog, offset: number): AsyncIterable<Uint8Array>
  /** Reads the view's result.json: no links, no FIFOs, size-capped, must be JSON. */
  readResult(task: TaskPlace): Promise<ResultFile>
  /** The result, original and view. */
  writeResult(task: TaskPlace, json: string): Promise<void>
  /** The stored result's text, from the original. */
  result(task: TaskPlace): Promise<string | undefined>
  /** Keeps the last screen. */
  writeScreen(task: TaskPlace, screen: string): Promise<void>
  screen(task: TaskPlace): Promise<string | undefined>
  /** Keeps the statusline clock that a run last showed. */
  keepClock(task: TaskPlace, seen: ClockSeen): Promise<void>
  clockSeen(task: TaskPlace): Promise<ClockSeen | undefined>
  /** Puts back what was deleted or altered in the view. */
  repair(task: TaskSummary): Promise<void>
  /** The creating caller's environment, until the task is closed. */
  env(task: TaskPlace): Promise<Readonly<Record<string, string>>>
  /** Brought back: it has an environment again. */
  reopen(task: TaskPlace, env: Readonly<Record<string, string>>): Promise<void>
  /** Ended: secrets are deleted, descriptors closed. */
  close(task: TaskPlace): Promise<void>
  /** For an ended task: the view moves to the archive, or is made there anew; large logs are packed. Twice is the same as once. A reopened task's files come back by themselves. */
  archive(task: TaskSummary, at: number): Promise<void>
  paths(task: TaskPlace): HandoffPaths
}

/** Absolute paths, for people, agents and JSON. */
export type HandoffPaths = {
  /** The handoff directory in the project. */
  readonly view: string
  readonly promptFile: string
  readonly resultFile: string
  /** The original output.log in the home: what the pane shows. Of an archived task it may be packed (`.gz`). */
  readonly outputLog: string
}
