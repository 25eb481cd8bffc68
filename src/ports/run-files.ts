import type { RunId, TaskId } from '../domain/names/ids.ts'
import type { BridgeNote } from '../domain/run/bridge-note.ts'
import type { ProcessIdentity } from './processes.ts'

/** How a run hears: one prompt on stdin; lines that are fed to it as they come; or a terminal, and lines for what reads them there. */
export type Hearing = 'once' | 'lines' | 'terminal'

/** What the shim needs on disk before it starts. */
export type LaunchFiles = {
  readonly runId: RunId
  readonly taskId: TaskId
  readonly argv: readonly string[]
  readonly cwd: string
  /** The agent's settings for this run; beside the other files, 0600. */
  readonly files: readonly { readonly name: string; readonly content: string }[]
  readonly hearing: Hearing
  /** Given to the agent on stdin: whole, or as the first lines of its input. */
  readonly stdin: string
  /** The whole environment of the agent; nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>
  /** The readable log the pane shows. */
  readonly outputLog: string
  readonly sessionDir: string
  /** What proves to be this run; absent for what is no agent's. */
  readonly token?: string
  /** Its agent is given the tools of Holdfast. */
  readonly isBridged?: boolean
}

/** Written by the shim before the agent is exec'ed. */
export type StartRecord = { readonly pid: number; readonly startTicks: number; readonly bootId: string }

/** Written by the shim when the agent ended: a code, or a signal's name without SIG. */
export type ExitRecord = {
  readonly code: number | null
  readonly signal: string | null
  readonly atMs: number
  readonly bootId: string
  /** Its terminal was gone when it ended. Null when it had none, or when its shim is of a version that did not look. */
  readonly hangup: boolean | null
  /** The record could not be written when the agent ended: the disk was full. */
  readonly late: boolean
}

/** `gone`: the file was deleted. `held`: so it was, but its writer has it open. */
export type Chunk = {
  readonly bytes: Uint8Array
  readonly size: number
  readonly gone?: true
  readonly held?: true
}

/** The run directories and exit records: facts that outlive daemon and tmux. */
export interface RunFiles {
  /** Throws when what is written there could be changed by another user before it is started. */
  checkPlace(): void
  /** Writes the run directory whole (temporary name, then rename) and returns the argv that starts its shim in a pane. Preparing twice is the same as once. */
  prepare(files: LaunchFiles): Promise<readonly string[]>
  directory(runId: RunId): string
  /** Where the `files` of a run will lie. */
  filesDir(runId: RunId): string
  /** Where the lines said to a run lie, and what it says itself. */
  inputFile(runId: RunId): string
  eventsFile(runId: RunId): string
  /** Afterwards the input file holds `line` at `offset`. Only what is missing is appended, so that a crash in the middle doubles nothing. */
  writeInput(runId: RunId, offset: number, line: string): Promise<void>
  /** What feeds the lines to the agent. Ending it ends the conversation. */
  feeder(runId: RunId): Promise<StartRecord | undefined>
  /** The argv that starts the shim of a prepared run without a pane. */
  apartArgv(runId: RunId, argv: readonly string[]): readonly string[]
  /** The argv of a pane that only shows the run's output. */
  windowArgv(runId: RunId): readonly string[]
  /** True when this call made the claim: the run id is void for ever. False when the shim has it, or an earlier call. */
  claim(runId: RunId): Promise<boolean>
  /** For a run that was claimed but never started: true when it is certain now that it never will; asking again gives the same. */
  voidStart(runId: RunId): Promise<boolean>
  started(runId: RunId): Promise<StartRecord | undefined>
  /** Undefined when there is none, or when it is empty or invalid. */
  exit(runId: RunId): Promise<ExitRecord | undefined>
  /** False while the disk is full: a shim cannot write its exit record then. */
  canRecordExit(): Promise<boolean>
  /** A person interrupted it in its window. */
  interrupted(runId: RunId): Promise<boolean>
  /** Ids of all runs that have an exit record, in one scan. */
  exits(): Promise<RunId[]>
  /** Up to `most` bytes of events.jsonl from an offset, and the file's size now. Of a deleted file, what its living `writer` has open is read instead. */
  readEvents(runId: RunId, offset: number, most: number, writer?: ProcessIdentity): Promise<Chunk>
  /** All of events.jsonl from an offset to its end so far, also where it is packed, or was deleted and is held open. */
  eventsFrom(runId: RunId, offset: number): AsyncIterable<Uint8Array>
  /** Adds whole lines to its events, behind a line that a crash tore. What was deleted stays so. */
  appendEvents(runId: RunId, lines: string): Promise<void>
  /** Its event file was deleted and is read where its writer has it open: nobody tells of what is new there. */
  isHeld(runId: RunId): boolean
  /** Bytes of events and stderr so far. */
  written(runId: RunId): number
  /** The last words on stderr, for reasons. */
  stderrTail(runId: RunId, mostBytes: number): Promise<string>
  /** Calls with a run id whenever an exit record appears; after a gap in the watch, again with all. */
  watchExits(onExit: (runId: RunId) => void): () => void
  /** Calls whenever something in the run directory changed. */
  watchRun(runId: RunId, onChange: () => void): () => void
  /** What is known of the tools that the run was given; null where it was given none, or its files are gone. */
  bridge(runId: RunId): BridgeNote | null
  /** Nothing is noted of a run that was given none. */
  noteBridge(runId: RunId, note: BridgeNote): void
  /** In the place of the token before it. Nothing is written where the run has no token. */
  renewToken(runId: RunId, token: string): Promise<void>
  /** The run is over and stored: its secrets go now. */
  forgetSecrets(runId: RunId): Promise<void>
  /** Whether this home has a directory of that run. */
  has(runId: RunId): boolean
  /** The run's task is archived: only what `logs` and people read stays, packed (`.gz`) where it is large. */
  shrink(runId: RunId): Promise<void>
}
