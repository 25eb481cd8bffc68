// Owns what `doctor` tells about the agents: found, version, whether our tests know it, and whether one is logged in.
import { realDrivers } from '../../agents/all.ts'
import { isHoldfastError } from '../../domain/errors.ts'
import type { Login } from '../../ports/agent-driver.ts'
import type { Finding } from './diagnose.ts'
import { type FoundAgent, findAgents, knownAgents } from './find-agents.ts'

type Env = Readonly<Record<string, string | undefined>>
type Worry = { readonly what: string; readonly fix: string }

/** One is enough; an unknown version or a missing login is a warning, never a refusal. */
export async function agentFindings(env: Env, dir: string): Promise<Finding[]> {
  const found = await findAgents(await knownAgents(env, dir).catch(realDriversIfInvalid), env)
  const installed = found.filter(({ path }) => path !== null)
  if (installed.length > 0) return installed.map(agentFinding)
  const fix = found.flatMap(({ driver }) => driver.program?.install ?? []).join(', or ')
  return [{ name: 'agents', state: 'warn', detail: 'no coding agent is on your PATH', fix }]
}

/** What is wrong with the settings is a finding of its own. */
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
