// Owns looking for the agents on this machine: where, which version, whether our tests know it, and the login.
import { realDrivers } from '../../agents/all.ts'
import { customDrivers } from '../../agents/custom/driver.ts'
import { scriptedDriver } from '../../agents/scripted/driver.ts'
import { isTested, whyTooOld } from '../../domain/names/agent-version.ts'
import type { AgentDriver, Login } from '../../ports/agent-driver.ts'
import { filePlaces } from '../../system/places/places.ts'
import { askVersion, packagedVersion } from '../../system/places/program-version.ts'
import { loadConfig, userConfigDir } from '../../system/settings/load-config.ts'

export type FoundAgent = {
  readonly kind: string
  /** Null when it is not on the PATH, or comes with Holdfast. */
  readonly path: string | null
  /** Null when it would not say. */
  readonly version: string | null
  /** Null when no version is known to our tests. */
  readonly tested: boolean | null
  /** Why it is known not to work; null when nothing is known against it. */
  readonly unusable: string | null
  /** As far as it can be seen; null where nothing is known of it. */
  readonly login: Login | null
  readonly driver: AgentDriver
}

type Env = Readonly<Record<string, string | undefined>>

/** Those that Holdfast brings, the user's own, and those a project brings with a person's approval. */
export async function knownAgents(env: Env, dir: string): Promise<AgentDriver[]> {
  const { config } = await loadConfig(userConfigDir(env), await filePlaces.projectRoot(dir))
  return [...realDrivers, scriptedDriver({ executable: [] }), ...customDrivers(config.agents)]
}

/** Each is asked at the same time: some take seconds to say their version. */
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
