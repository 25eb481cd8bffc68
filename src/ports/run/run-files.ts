// Owns what the core asks of a run's files: preparing a launch, and reading what shim and agent wrote.
import type { RunId, TaskId } from '../../domain/names/ids.ts'
import type { BridgeNote } from '../../domain/run/bridge-note.ts'
import type { ProcessIdentity } from './processes.ts'

/**
 * How a run hears. `once`: one prompt on stdin. `lines`: lines that are passed to it as they come. `terminal`: keys in
 * its terminal, or lines for an agent that reads them there.
 */
export type Hearing = 'once' | 'lines' | 'terminal'

/** What the shim needs on disk before it starts. */
export type LaunchFiles = {
  readonly runId: RunId
  readonly taskId: TaskId
  readonly argv: readonly string[]
  readonly cwd: string
  /** The agent's settings for this run, written with mode 0600. */
  readonly files: readonly { readonly name: string; readonly content: string }[]
  readonly hearing: Hearing
  /** What the agent gets on stdin: everything, or the first lines of its input. */
  readonly stdin: string
  /** The whole environment of the agent: nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>
  /** The readable log that the pane shows. */
  readonly outputLog: string
  readonly sessionDir: string
  /** What proves to be this run; absent for what is no agent's. */
  readonly token?: string
  /** Its agent is given the tools of Holdfast. */
  readonly isBridged?: boolean
}

/** Written by the shim just before it becomes the agent. */
export type StartRecord = { readonly pid: number; readonly startTicks: number; readonly bootId: string }

/** Written by the shim when the agent has ended. `signal` is a name without SIG. `atMs`: epoch ms. */
export type ExitRecord = {
  readonly code: number | null
  readonly signal: string | null
  readonly atMs: number
  readonly bootId: string
  /**
   * The agent's terminal was gone when the agent ended. Null when it had no terminal, or when an older shim did not
   * record it.
   */
  readonly hangup: boolean | null
  /** The record was written later than the agent's end, because the disk was full. */
  readonly late: boolean
}

/** `gone`: the file was deleted. `held`: the file was deleted, but is read through a process that has it open. */
export type Chunk = {
  readonly bytes: Uint8Array
  readonly size: number
  readonly gone?: true
  readonly held?: true
}

/** The run directories and exit records. They stay when the daemon or tmux ends. */
export interface RunFiles {
  /** Throws when another user could change the files of a run before the run is started. */
  checkPlace(): void
  /**
   * Writes the run directory, completely or not at all, and returns the argv that starts its shim in a pane. Doing it
   * twice has the same effect as once.
   */
  prepare(files: LaunchFiles): Promise<readonly string[]>
  directory(runId: RunId): string
  /** The directory of the `files` of a run. */
  filesDir(runId: RunId): string
  /** The file with the lines that are said to a run. */
  inputFile(runId: RunId): string
  /** The file with the lines that the run reports. */
  eventsFile(runId: RunId): string
  /**
   * Afterwards the input file has `line` at `offset`. Only the missing bytes are appended, so that nothing is written
   * twice after a crash.
   */
  writeInput(runId: RunId, offset: number, line: string): Promise<void>
  /** The process that passes the lines to the agent. Ending it ends the conversation. */
  feeder(runId: RunId): Promise<StartRecord | undefined>
  /** The argv that starts the shim of a prepared run without a pane. */
  apartArgv(runId: RunId, argv: readonly string[]): readonly string[]
  /** The argv of a pane that only shows the run's output. */
  windowArgv(runId: RunId): readonly string[]
  /** True when this call made the claim: the run can never start. False when the shim or an earlier call has made it. */
  claim(runId: RunId): Promise<boolean>
  /**
   * For a run that is claimed but has no process. True: it can never start any more. Asking again gives the same
   * answer.
   */
  voidStart(runId: RunId): Promise<boolean>
  started(runId: RunId): Promise<StartRecord | undefined>
  /** When the shim wrote its start record, in epoch ms. Undefined when there is none. */
  startedAt(runId: RunId): Promise<number | undefined>
  /** The run's exit record. Undefined when it is missing, empty or invalid. */
  exit(runId: RunId): Promise<ExitRecord | undefined>
  /** False while the disk is full, so that no shim can write its exit record. */
  canRecordExit(): Promise<boolean>
  /** Whether a person interrupted the run in its window. */
  interrupted(runId: RunId): Promise<boolean>
  /** Ids of all runs that have an exit record, in one scan. */
  exits(): Promise<RunId[]>
  /**
   * Up to `most` bytes of events.jsonl from an offset, and the file's current size. A deleted file is read through the
   * process `writer`, as long as that has it open.
   */
  readEvents(runId: RunId, offset: number, most: number, writer?: ProcessIdentity): Promise<Chunk>
  /** All of events.jsonl, from an offset to its current end. Also when it is packed, or deleted and held open. */
  eventsFrom(runId: RunId, offset: number): AsyncIterable<Uint8Array>
  /**
   * Appends complete lines to the events. An incomplete last line is ended first. A deleted file is not created again.
   */
  appendEvents(runId: RunId, lines: string): Promise<void>
  /** The run's event file is deleted and held open. `watchRun` does not report new lines in such a file. */
  isHeld(runId: RunId): boolean
  /** The size of events and stderr so far, in bytes. */
  written(runId: RunId): number
  /** The end of stderr, to say why a run failed. */
  stderrTail(runId: RunId, mostBytes: number): Promise<string>
  /** Calls with the run id of each new exit record. After a gap in the watch, calls again for all of them. */
  watchExits(onExit: (runId: RunId) => void): () => void
  /** Calls after each change in the run directory. */
  watchRun(runId: RunId, onChange: () => void): () => void
  /** What is known of the tools that the run was given; null where it was given none, or its files are gone. */
  bridge(runId: RunId): BridgeNote | null
  /** Nothing is noted of a run that was given none. */
  noteBridge(runId: RunId, note: BridgeNote): void
  /** In the place of the token before it. Nothing is written where the run has no token. */
  renewToken(runId: RunId, token: string): Promise<void>
  /** For a run whose end is stored: deletes its secrets. */
  forgetSecrets(runId: RunId): Promise<void>
  /** Whether this home has a directory of this run. */
  has(runId: RunId): boolean
  /** For a run whose task is archived: keeps only what `logs` and people read. Large files are packed (`.gz`). */
  shrink(runId: RunId): Promise<void>
}
