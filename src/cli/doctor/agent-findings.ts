// Owns what `doctor` reports about the agents: path, version, whether it was tested with Holdfast, and the login.
import { realDrivers } from '../../agents/all.ts'
import { isHoldfastError } from '../../domain/errors.ts'
import type { Login } from '../../ports/run/agent-driver.ts'
import type { Finding } from './diagnose.ts'
import { type FoundAgent, findAgents, knownAgents } from './find-agents.ts'

type Env = Readonly<Record<string, string | undefined>>
type Worry = { readonly what: string; readonly fix: string }

/** One installed agent is enough. An untested version or a missing login is only a warning. */
export async function agentFindings(env: Env, dir: string): Promise<Finding[]> {
  const found = await findAgents(await knownAgents(env, dir).catch(realDriversIfInvalid), env)
  const installed = found.filter(({ path }) => path !== null)
  if (installed.length > 0) return installed.map(agentFinding)
  const fix = found.flatMap(({ driver }) => driver.program?.install ?? []).join(', or ')
  return [{ name: 'agents', state: 'warn', detail: 'no coding agent is on your PATH', fix }]
}

/** Invalid settings are a finding of their own: the agents that come with Holdfast are checked all the same. */
function realDriversIfInvalid(error: unknown) {
  if (isHoldfastError(error, 'CONFIG_INVALID', 'CONFIG_UNSAFE', 'NOT_TRUSTED')) return realDrivers
  throw error
}

function agentFinding({ kind, path, version, tested, unusable, login, driver }: FoundAgent): Finding {
  const { install = '', tested: range = null } = driver.program ?? {}
  if (range === null) return { name: kind, state: 'ok', detail: `from the config (${path})`, fix: null }
  const worries = [
    ...(unusable === null ? [] : [{ what: `cannot be used: ${unusable}`, fix: install }]),
    ...(tested || unusable !== null ? [] : [versionWorry(range, install)]),
    ...(login?.state === 'no' ? [{ what: `not logged in (looked at ${login.seen})`, fix: login.fix }] : []),
  ]
  return {
    name: kind,
    state: worries.length === 0 ? 'ok' : 'warn',
    detail: [
      `${version ?? 'version unknown'} (${path})`,
      ...loginText(login),
      ...worries.map(({ what }) => what),
    ].join(', '),
    fix: worries.map(({ fix }) => fix).join('; ') || null,
  }
}

function versionWorry([oldest, newest]: readonly [string, string], install: string): Worry {
  const known = oldest === newest ? oldest : `${oldest} to ${newest}`
  return {
    what: `not a version Holdfast was tested with (${known})`,
    fix: `it may still work; if it does not, install ${known}: ${install}`,
  }
}

function loginText(login: Login | null): string[] {
  if (login?.state === 'yes') return [`logged in (${login.seen})`]
  return login?.state === 'unknown' ? [`login unknown (looked at ${login.seen})`] : []
}
