// Owns what the steps of the core flow share: the ports, the settings, and the tasks under watch.
import type { LinesRecipient } from '../../delivery/lines/say-by-lines.ts'
import type { TerminalRecipient } from '../../delivery/typing/terminal-recipient.ts'
import type { RunId, TaskId } from '../../domain/names/ids.ts'
import type { BridgeNote } from '../../domain/run/bridge-note.ts'
import type { Heartbeat } from '../../domain/run/heartbeat.ts'
import type { Config } from '../../domain/settings/config.ts'
import type { AgentDriver, McpServer } from '../../ports/agent-driver.ts'
import type { Apart } from '../../ports/apart.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Drivers } from '../../ports/driver-of.ts'
import type { Handling } from '../../ports/handling.ts'
import type { Handoff } from '../../ports/handoff.ts'
import type { HomeFiles } from '../../ports/home-files.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { Places } from '../../ports/places.ts'
import type { Processes } from '../../ports/processes.ts'
import type { Roles } from '../../ports/roles.ts'
import type { RunFiles } from '../../ports/run-files.ts'
import type { RunTokens } from '../../ports/run-tokens.ts'
import type { Store } from '../../ports/store.ts'
import type { Change, Committed } from '../../ports/store-changes.ts'
import type { Terminal } from '../../ports/terminal.ts'
import type { Verifier } from '../../ports/verifier.ts'
import type { EndsInFlight } from '../kernel/ends-in-flight.ts'
import type { FindLeft } from '../kernel/shared-scan.ts'
import type { Waiters } from '../kernel/waiters.ts'
import type { TaskFiles } from '../listening/task-files.ts'
import type { Copied } from './copy-transcript.ts'
import type { OpenWork } from './open-work.ts'
import type { Life } from './proof-of-life.ts'
import type { Upkeep } from './upkeep.ts'

export type Ports = Drivers & {
  readonly store: Store
  readonly terminal: Terminal
  readonly apart: Apart
  readonly runFiles: RunFiles
  readonly tokens: RunTokens
  /** What gives agents the tools of Holdfast; null where there is nothing to start. */
  readonly mcpServer: McpServer | null
  readonly processes: Processes
  readonly handoff: Handoff
  readonly homeFiles: HomeFiles
  readonly handling: Handling
  readonly roles: Roles
  readonly places: Places
  readonly verifier: Verifier
  /** In the order in which they are looked for when a task names none. */
  readonly agents: readonly AgentDriver[]
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** Work that is not urgent goes one by one, so that what is urgent does not wait for all of it. */
export type Lane = 'tidying' | 'scheduling' | 'waking' | 'windows' | 'screens' | 'upkeep'

/** A task with an open run, as last stored. */
export type Watch = LinesRecipient &
  TerminalRecipient & {
    /** Monotonic time when this daemon first looked at the run. */
    readonly sinceMono: number
    /** Monotonic time since when its process is gone, there is no exit record, and the disk has room for one. */
    missingSinceMono: number | null
    /** Its event file was deleted and is read from its process; said once. */
    eventsHeld: boolean
    /** Somebody is already ending it. */
    ending: boolean
    /** Monotonic time when its terminal was first found gone while it lives. */
    noTerminalSinceMono: number | null
    /** How far its transcript was copied; null while none was found. */
    copied: Copied | null
    /** What it said last in its turn. */
    words: string | null
    /** What it may be waiting for; null is unknown. */
    openWork: OpenWork | null
    /** When it last showed life; null while nobody counts. */
    life: Life | null
    /** Epoch ms when its token expires; null while this daemon has issued none. */
    tokenExpires: number | null
    /** Heartbeats heard since it is watched. */
    beats: number
    /** The last of them. */
    heartbeat: Heartbeat | null
    /** Whether the tools of Holdfast reached its agent, as far as this daemon has looked; null is not looked yet. */
    bridge: BridgeNote | null
    stopWatching: () => void
  }

export type Core = Ports & {
  readonly config: Config
  readonly watched: Map<TaskId, Watch>
  readonly taskOfRun: Map<RunId, TaskId>
  /** The only way to write. Whatever follows a change has followed, or is on its way, when it resolves. */
  readonly commit: (change: Change) => Promise<Committed>
  /** Does not wait for the disk. For what a power cut would undo anyway. */
  readonly commitSoon: (change: Change) => Promise<Committed>
  /** Those who wait for news of a task. */
  readonly waiters: Waiters
  /** Tasks whose end was seen and is not stored yet. */
  readonly endsInFlight: EndsInFlight
  /** Those that try a closed gate first, with what their run had achieved before. */
  readonly canaries: Map<TaskId, number>
  /** Queued tasks that could not be launched while others could, and how often. */
  readonly brokenLaunches: Map<TaskId, number>
  /** Runs of which nothing is left, as this daemon saw to. */
  readonly swept: Set<RunId>
  /** What still carries a run's marker. */
  readonly findLeft: FindLeft
  readonly upkeep: Upkeep
  readonly taskFiles: Pick<TaskFiles, 'whenWritten' | 'isWritten'>
  /** Work on one task, or in one lane, happens one after the other; supervision itself is such work. */
  withLock<T>(key: TaskId | Lane, work: () => Promise<T>): Promise<T>
  /** Look at this task soon. */
  requestLook(id: TaskId): void
  /** Resolves when all that could start by now was started. */
  whenScheduled(): Promise<void>
  /** Look at this time, at the latest, who of those that wait may go on. */
  wakeAt(at: number): void
  /** When the next of those that go on together may do so, from this time on. */
  stagger(at: number): number
  /** There is a terminal run: from now on screens are looked at. */
  watchScreens(): void
}
