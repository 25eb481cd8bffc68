// Owns finding the agents on this machine: path, version, whether it was tested with Holdfast, and the login.
import { realDrivers } from '../../agents/all.ts'
import { customDrivers } from '../../agents/custom/driver.ts'
import { scriptedDriver } from '../../agents/scripted/driver.ts'
import { isTested, whyTooOld } from '../../domain/names/agent-version.ts'
import type { AgentDriver, Login } from '../../ports/run/agent-driver.ts'
import { filePlaces } from '../../system/places/places.ts'
import { askVersion, packagedVersion } from '../../system/places/program-version.ts'
import { loadConfig, userConfigDir } from '../../system/settings/load-config.ts'

export type FoundAgent = {
  readonly kind: string
  /** Null when the agent is not on the PATH, or comes with Holdfast. */
  readonly path: string | null
  /** Null when the version could not be found out. */
  readonly version: string | null
  /** Whether Holdfast was tested with this version; null when the agent was not found, or is never tested (from the config). */
  readonly tested: boolean | null
  /** Why the agent cannot be used; null when no reason is known. */
  readonly unusable: string | null
  /** Whether a login was found; null when that cannot be checked. */
  readonly login: Login | null
  readonly driver: AgentDriver
}

type Env = Readonly<Record<string, string | undefined>>

/** The agents that come with Holdfast, the user's own, and those of the project that a person approved. */
export async function knownAgents(env: Env, dir: string): Promise<AgentDriver[]> {
  const { config } = await loadConfig(userConfigDir(env), await filePlaces.projectRoot(dir))
  return [...realDrivers, scriptedDriver({ executable: [] }), ...customDrivers(config.agents)]
}

/** All are asked at once: some take seconds to print their version. */
export const findAgents = (drivers: readonly AgentDriver[], env: Env): Promise<FoundAgent[]> =>
  Promise.all(drivers.map((driver) => findAgent(driver, env)))

async function findAgent(driver: AgentDriver, env: Env): Promise<FoundAgent> {
  const { program, kind } = driver
  if (program === null) return { ...NOT_FOUND, kind, driver }
  const path = (await filePlaces.findProgram(program.name, env.PATH ?? '')) ?? null
  const login = program.login?.({ env, peek: filePlaces.peek }) ?? null
  if (program.tested === null || path === null) return { ...NOT_FOUND, kind, path, login, driver }
  const version = (await askVersion(path, program.versionArgs, env)) ?? packagedVersion(path)
  const tested = version !== null && isTested(version, program.tested)
  const node = await filePlaces.nodeFor(path, env)
  const unusable = program.needs ? whyTooOld(program.needs, { version, node }) : null
  return { kind, path, version, tested, unusable, login, driver }
}

const NOT_FOUND = { path: null, version: null, tested: null, unusable: null, login: null } as const
