// Owns which agents are on this machine, as far as a daemon can tell.
import { whyTooOld } from '../../domain/names/agent-version.ts'
import type { AgentDriver } from '../../ports/agent-driver.ts'
import type { Core } from '../task/core.ts'

export type FoundAgent = {
  readonly kind: string
  /** Null when it is not on the PATH, or comes with Holdfast. */
  readonly path: string | null
  readonly found: boolean
  /** Null when it could not be found out. */
  readonly version: string | null
  /** Why it cannot be used; null when nothing is known against it. */
  readonly unusable: string | null
  /** Whether somebody is logged in, as far as files and variables show; null where there is no known sign. */
  readonly login: 'yes' | 'no' | 'unknown' | null
  /** How to log in; null where there is no known sign of a login. */
  readonly loginFix: string | null
  /** How to install it; null for one that comes with Holdfast. */
  readonly install: string | null
}

type Env = Readonly<Record<string, string | undefined>>

/** All are asked at once: some take seconds to print their version. */
export const foundAgents = (env: Env, { agents, places }: Pick<Core, 'agents' | 'places'>) =>
  Promise.all(agents.map((driver) => foundAgent(driver, env, places)))

async function foundAgent(
  { kind, program }: AgentDriver,
  env: Env,
  places: Core['places'],
): Promise<FoundAgent> {
  const nothing = { path: null, version: null, unusable: null, login: null, loginFix: null, install: null }
  if (program === null) return { ...nothing, kind, found: true }
  const path = (await places.findProgram(program.name, env.PATH ?? '')) ?? null
  const login = program.login?.({ env, peek: places.peek })
  const told = {
    ...nothing,
    kind,
    path,
    found: path !== null,
    login: login?.state ?? null,
    loginFix: login?.fix ?? null,
    install: program.install,
  }
  if (path === null || program.tested === null) return told
  const version = await places.versionOf(path, program.versionArgs, env)
  const node = await places.nodeFor(path, env)
  const unusable = program.needs === undefined ? null : whyTooOld(program.needs, { version, node })
  return { ...told, version, unusable }
}
