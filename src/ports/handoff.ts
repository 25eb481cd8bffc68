import type { Task } from '../domain/task.ts'

export type LogLevel = 'INFO' | 'WARN' | 'ERROR'

/** What came of looking for the agent's result file. */
export type ResultFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'refused'; readonly why: string }

/**
 * A task's files. Originals lie in the home; the handoff directory in the project is a view of them
 * that agents may write, swap and delete without harming anybody. No method throws because of the view.
 */
export interface Handoff {
  /** Originals first, then the view. Twice is the same as once. */
  create(task: Task): Promise<void>
  /** Removes what `create` made, for a task that was never recorded. */
  discard(task: Task): Promise<void>
  /** state.json, atomically, original and view. */
  writeState(task: Task): Promise<void>
  /** One line `[time] [LEVEL] message` in session.log, original and view. */
  log(task: Task, level: LogLevel, message: string): Promise<void>
  /** Cuts the original output.log to `at` bytes, then appends; the view follows. Returns the new length. */
  appendOutput(task: Task, at: number, text: string): Promise<number>
  /** Reads the view's result.json: no links, no FIFOs, size-capped, must be JSON. */
  readResult(task: Task): Promise<ResultFile>
  /** The result, original and view. */
  writeResult(task: Task, json: string): Promise<void>
  /** The stored result's text, from the original. */
  result(task: Task): Promise<string | undefined>
  /** Keeps the last screen. */
  writeScreen(task: Task, screen: string): Promise<void>
  screen(task: Task): Promise<string | undefined>
  /** Puts back what was deleted or altered in the view. */
  repair(task: Task): Promise<void>
  /** The creating caller's environment, 0600, until the task is closed. */
  keepEnv(task: Task, env: Readonly<Record<string, string>>): Promise<void>
  env(task: Task): Promise<Readonly<Record<string, string>>>
  /** Ended: secrets are deleted, descriptors closed. */
  close(task: Task): Promise<void>
  /** Absolute paths, for people, agents and JSON. */
  paths(task: Pick<Task, 'id' | 'project'>): HandoffPaths
}

export type HandoffPaths = {
  /** The handoff directory in the project. */
  readonly view: string
  readonly promptFile: string
  readonly resultFile: string
  /** The original output.log in the home: what the pane shows and `logs` reads. */
  readonly outputLog: string
  readonly sessionLog: string
}
