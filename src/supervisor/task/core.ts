// Owns what the steps of the core flow share: the ports, the settings, and the tasks under watch.
import type { LinesRecipient } from '../../delivery/lines/say-by-lines.ts'
import type { TerminalRecipient } from '../../delivery/typing/terminal-recipient.ts'
import type { RunId, TaskId } from '../../domain/names/ids.ts'
import type { BridgeNote } from '../../domain/run/bridge-note.ts'
import type { DaemonConfig } from '../../domain/settings/config.ts'
import type { TaskTerms } from '../../domain/settings/task-terms.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Handoff } from '../../ports/files/handoff.ts'
import type { HomeFiles } from '../../ports/files/home-files.ts'
import type { Places } from '../../ports/files/places.ts'
import type { Roles } from '../../ports/files/roles.ts'
import type { WorkTree } from '../../ports/files/work-tree.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { AgentDriver, McpServer } from '../../ports/run/agent-driver.ts'
import type { Apart } from '../../ports/run/apart.ts'
import type { Drivers } from '../../ports/run/driver-of.ts'
import type { Handling } from '../../ports/run/handling.ts'
import type { Processes } from '../../ports/run/processes.ts'
import type { RunFiles } from '../../ports/run/run-files.ts'
import type { RunTokens } from '../../ports/run/run-tokens.ts'
import type { Terminal } from '../../ports/run/terminal.ts'
import type { Change, Committed } from '../../ports/store/commits.ts'
import type { Store } from '../../ports/store/store.ts'
import type { Verifier } from '../../ports/verifier.ts'
import type { EndsInFlight } from '../kernel/ends-in-flight.ts'
import type { FindProcessesOfRun } from '../kernel/shared-scan.ts'
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
  readonly workTree: WorkTree
  /** In the order in which they are tried when a task names no agent. */
  readonly agents: readonly AgentDriver[]
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** In a lane, work that is not urgent is done one by one, so that urgent work need not wait for all of it. */
export type Lane = 'tidying' | 'scheduling' | 'waking' | 'windows' | 'upkeep' | 'triggers' | 'runtimes'

/** A task with an open run, both as last stored, and what this daemon remembers of them. */
export type Watch = LinesRecipient &
  TerminalRecipient & {
    /** Monotonic time when this daemon first looked at the run. */
    readonly sinceMono: number
    /** Monotonic time since when the run's process is gone and the disk has room for an exit record; null while it lives. */
    missingSinceMono: number | null
    /** The run's event file was deleted, and is read where its process has it open. This was logged. */
    eventsHeld: boolean
    /** The run is already being ended. */
    ending: boolean
    /** Monotonic time when the terminal of the living run was first found gone; null while there is one. */
    noTerminalSinceMono: number | null
    /** How far the agent's transcript was copied; null while none was found. */
    copied: Copied | null
    /** What the agent said last in its turn. */
    words: string | null
    /** What the agent may be waiting for; null when that is unknown. */
    openWork: OpenWork | null
    /** How long the agent has been silent, and what was last seen of it; null while its silence does not count. */
    life: Life | null
    /** Epoch ms when its token expires; null while this daemon has issued none. */
    tokenExpires: number | null
    /** The last look at its screen, if the run was idle then: the pane's outline, and the monotonic ms. */
    restingLook: { readonly outline: string; readonly at: number } | null
    /** Heartbeats received since the run is watched. */
    beats: number
    /** Whether the tools of Holdfast reached its agent: `none` was given none, null is not looked yet. */
    bridge: BridgeNote | 'none' | null
    stopWatching: () => void
  }

export type Core = Ports & {
  readonly config: DaemonConfig
  /** By the user's own settings: for gates, which hold tasks of many projects, and for tasks that older versions stored. */
  readonly ownTerms: TaskTerms
  readonly watched: Map<TaskId, Watch>
  readonly taskOfRun: Map<RunId, TaskId>
  /** The only way to write to the store. When it resolves, the listeners have handled the change, or have begun to. */
  readonly commit: (change: Change) => Promise<Committed>
  /** Like `commit`, but does not wait for the disk. For changes whose effects a power cut would undo anyway. */
  readonly commitSoon: (change: Change) => Promise<Committed>
  /** Those who wait for news of a task. */
  readonly waiters: Waiters
  /** Tasks whose end was seen and is not stored yet. */
  readonly endsInFlight: EndsInFlight
  /** The canaries of closed gates, each with the progress that its run had before. */
  readonly canaries: Map<TaskId, number>
  /** The longest pause in ms of tasks that wait for longer than `config` allows, by their own recovery settings. */
  readonly pauses: Map<TaskId, number>
  /** Queued tasks that could not be launched while others could, and how often. */
  readonly brokenLaunches: Map<TaskId, number>
  /** Ended runs that this daemon swept: none of their processes is left. */
  readonly swept: Set<RunId>
  /** Finds the processes that still carry a run's marker. */
  readonly findProcessesOfRun: FindProcessesOfRun
  readonly upkeep: Upkeep
  readonly taskFiles: Pick<TaskFiles, 'whenWritten' | 'dropDeferred'>
  /** Does the work for one task, or in one lane, one after the other. A look at a task holds the task's lock. */
  withLock<T>(key: TaskId | Lane, work: () => Promise<T>): Promise<T>
  /** Asks for a look at this task soon. */
  requestLook(id: TaskId): void
  /** Resolves when every task that can start now was started. */
  whenScheduled(): Promise<void>
  /** Asks for a look at the waiting tasks at this time (epoch ms), or earlier. */
  wakeAt(at: number): void
  /** Epoch ms, `at` or later, when the next of several tasks that go on together may do so. */
  stagger(at: number): number
  /** Begins to look at screens, because there is a terminal run. */
  watchScreens(): void
}
