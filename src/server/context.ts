// Owns what the routes need from the daemon.
import type { Bridge } from '../bridge/bridge.ts'
import type { Config, Sourced } from '../domain/settings/config.ts'
import type { Widening } from '../domain/settings/merge-config.ts'
import type { VerifyContract } from '../domain/verify/contract.ts'
import type { Notify } from '../notify/notify.ts'
import type { Clock } from '../ports/clock.ts'
import type { Claim, Trust } from '../ports/files/trust.ts'
import type { Log } from '../ports/log.ts'
import type { PageFiles } from '../ports/page-files.ts'
import type { RunTokens } from '../ports/run/run-tokens.ts'
import type { TerminalViewers } from '../ports/run/terminal-viewers.ts'
import type { WebDoor } from '../ports/web-door.ts'
import type { WebKeys } from '../ports/web-keys.ts'
import type { HealthJson } from '../protocol/json/daemon-json.ts'
import type { Desk } from '../supervisor/desk.ts'

export type LoadedConfig = {
  readonly config: Config
  readonly sources: readonly Sourced[]
  readonly files: readonly string[]
  readonly widenings: readonly Widening[]
}

export type ProjectTrust = Pick<Trust, 'approve' | 'revoke'> & {
  /** The project's files that need a person's approval, approved or not. */
  readonly claims: (project: string) => Promise<Claim[]>
}

/** The contract of a step, and the file that contains it. */
export type StepContract = { readonly contract: VerifyContract; readonly source: string }

export type ServerContext = {
  readonly desk: Desk
  readonly tokens: Pick<RunTokens, 'read'>
  readonly bridge: Bridge
  readonly viewers: TerminalViewers
  readonly notify: Notify
  readonly metrics: { text(): Promise<string>; readonly contentType: string }
  readonly clock: Clock
  readonly log: Log
  readonly about: Pick<
    HealthJson,
    'version' | 'pid' | 'home' | 'node_id' | 'started_at' | 'tmux_socket' | 'store'
  >
  /** What can still be written where the home lies; undefined when that cannot be told. */
  readonly freeBytes: () => Promise<number | undefined>
  /** The current settings for a project, or for the user alone when there is no project. */
  readonly loadConfig: (project: string | undefined) => Promise<LoadedConfig>
  readonly trust: ProjectTrust
  /** STEP_NOT_FOUND when there is no contract for the step, NOT_TRUSTED when it runs commands that nobody approved. */
  readonly stepContract: (asked: {
    readonly step: string
    readonly story: string
    readonly project: string
    readonly stateFile: string | undefined
  }) => Promise<StepContract>
  readonly page: PageFiles
  readonly door: WebDoor
  readonly keys: WebKeys
  /** Names by which browsers may reach the daemon, beside those of the machine itself; in lower case. */
  readonly hosts: readonly string[]
  /** Origins of other web pages that may ask with a token. */
  readonly origins: readonly string[]
  /** The environment of agents whose caller has none of its own: a person at the page. */
  readonly ownEnv: Readonly<Record<string, string>>
  /** A name that nobody else has. */
  readonly newName: () => string
  /** Stops the daemon, after the current request is answered. */
  readonly shutdown: () => void
  /** Aborted when the daemon stops, so that streams end and readers reconnect. */
  readonly stopping: AbortSignal
}

/** The parts of the desk and of the rest of the context that a route or a function uses. */
export type Uses<Part extends keyof Desk, Rest extends keyof ServerContext = never> = {
  readonly desk: Pick<Desk, Part>
} & Pick<ServerContext, Rest>
