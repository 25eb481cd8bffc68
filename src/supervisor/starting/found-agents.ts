// Owns which agents are on this machine, as far as a daemon can tell.
import { whyTooOld } from '../../domain/names/agent-version.ts'
import type { AgentDriver } from '../../ports/agent-driver.ts'
import type { Core } from '../task/core.ts'

export type FoundAgent = {
  readonly kind: string
  /** Null when it is not on the PATH. */
  readonly path: string | null
  /** Null when it could not be found out. */
  readonly version: string | null
  /** Why it cannot be used; null when nothing is known against it. */
  readonly unusable: string | null
  /** Whether somebody is logged in, as far as files and variables show; null where there is no known sign. */
  readonly login: 'yes' | 'no' | 'unknown' | null
  /** How to log in; null where there is no known sign of a login. */
  readonly fix: string | null
  readonly install: string
  readonly modes: readonly string[]
}

type Env = Readonly<Record<string, string | undefined>>

/** All are asked at once: some take seconds to print their version. */
export const foundAgents = async (env: Env, { agents, places }: Pick<Core, 'agents' | 'places'>) =>
  (await Promise.all(agents.map((driver) => foundAgent(driver, env, places)))).flat()

/** Nothing for one that comes with Holdfast: it is for demos. */
async function foundAgent(
  { kind, program, can }: AgentDriver,
  env: Env,
  places: Core['places'],
): Promise<FoundAgent[]> {
  if (program === null) return []
  const path = (await places.findProgram(program.name, env.PATH ?? '')) ?? null
  const login = program.login?.({ env, peek: places.peek })
  const told = {
    kind,
    path,
    login: login?.state ?? null,
    fix: login?.fix ?? null,
    install: program.install,
    modes: can.modes,
  }
  if (path === null || program.tested === null) return [{ ...told, version: null, unusable: null }]
  const version = await places.versionOf(path, program.versionArgs, env)
  const node = await places.nodeFor(path, env)
  const unusable = program.needs === undefined ? null : whyTooOld(program.needs, { version, node })
  return [{ ...told, version, unusable }]
}
