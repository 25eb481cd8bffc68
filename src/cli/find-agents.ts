// Owns looking for the agents on this machine: where, which version, whether our tests know it, and the login.
import { realDrivers } from '../agents/all.ts'
import { customDrivers } from '../agents/custom.ts'
import type { AgentDriver, Login, Program } from '../ports/agent-driver.ts'
import { exec } from '../system/exec.ts'
import { filePlaces } from '../system/places.ts'
import { loadConfig, userConfigDir } from '../system/settings-files.ts'

export type FoundAgent = {
  readonly kind: string
  /** Null when it is not on the PATH. */
  readonly path: string | null
  /** Null when it would not say. */
  readonly version: string | null
  /** Null when no version is known to our tests. */
  readonly tested: boolean | null
  /** As far as it can be seen; null where nothing is known of it. */
  readonly login: Login | null
  readonly driver: AgentDriver & { readonly program: Program }
}

type Env = Readonly<Record<string, string | undefined>>
const ANSWERS_WITHIN_MS = 15_000

/** Those that Holdfast brings, the user's own, and those a project brings with a person's approval. */
export async function knownAgents(env: Env, dir: string): Promise<AgentDriver[]> {
  const { config } = await loadConfig(userConfigDir(env), await filePlaces.projectRoot(dir))
  return [...realDrivers, ...customDrivers(config.agents)]
}

/** Each is asked at the same time: some take seconds to say their version. */
export const findAgents = (drivers: readonly AgentDriver[], env: Env): Promise<FoundAgent[]> =>
  Promise.all(drivers.flatMap((driver) => (hasProgram(driver) ? [findAgent(driver, env)] : [])))

const hasProgram = (driver: AgentDriver): driver is FoundAgent['driver'] => driver.program !== null

async function findAgent(driver: FoundAgent['driver'], env: Env): Promise<FoundAgent> {
  const { program, kind } = driver
  const path = (await filePlaces.findProgram(program.name, env.PATH ?? '')) ?? null
  const login = program.login?.({ env, peek: filePlaces.peek }) ?? null
  if (program.tested === null) return { kind, path, version: null, tested: null, login, driver }
  const version = path === null ? null : await versionOf(path, program, env)
  const tested = version !== null && isTested(version, program.tested)
  return { kind, path, version, tested, login, driver }
}

async function versionOf(path: string, { versionArgs }: Program, env: Env): Promise<string | null> {
  const { stdout, stderr } = await exec([path, ...versionArgs], { env, timeoutMs: ANSWERS_WITHIN_MS })
  return /\d+\.\d+\.\d+/.exec(`${stdout}\n${stderr}`)?.[0] ?? null
}

export function isTested(version: string, [oldest, newest]: readonly [string, string]): boolean {
  return compare(version, oldest) >= 0 && compare(version, newest) <= 0
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  const at = left!.findIndex((part, index) => part !== (right![index] ?? 0))
  return at === -1 ? 0 : left![at]! - (right![at] ?? 0)
}
