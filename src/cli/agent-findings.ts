// Owns what `doctor` tells about the agents: found, version, and whether our tests know it.
import { realDrivers } from '../agents/all.ts'
import { errorCatalogue, isHoldfastError } from '../domain/errors.ts'
import type { Finding } from './diagnose.ts'
import { type FoundAgent, findAgents, knownAgents } from './find-agents.ts'

type Env = Readonly<Record<string, string | undefined>>

/** One is enough; an unknown version is a warning, never a refusal. */
export async function agentFindings(env: Env): Promise<Finding[]> {
  try {
    return findingsOf(await findAgents(await knownAgents(env), env))
  } catch (error) {
    if (!isHoldfastError(error, 'CONFIG_INVALID')) throw error
    const { hint } = errorCatalogue[error.code]
    const config: Finding = { name: 'config', state: 'fail', detail: error.message, fix: hint }
    return [config, ...findingsOf(await findAgents(realDrivers, env))]
  }
}

function findingsOf(found: readonly FoundAgent[]): Finding[] {
  const installed = found.filter(({ path }) => path !== null)
  if (installed.length > 0) return installed.map(agentFinding)
  const fix = found.map(({ driver }) => driver.program.install).join(', or ')
  return [{ name: 'agents', state: 'warn', detail: 'no coding agent is on your PATH', fix }]
}

function agentFinding({ kind, path, version, tested, driver }: FoundAgent): Finding {
  const { install, tested: range } = driver.program
  if (range === null) return { name: kind, state: 'ok', detail: `yours (${path})`, fix: null }
  const detail = `${version ?? 'says no version'} (${path})`
  if (tested) return { name: kind, state: 'ok', detail, fix: null }
  const [oldest, newest] = range
  const known = oldest === newest ? oldest : `${oldest} to ${newest}`
  return {
    name: kind,
    state: 'warn',
    detail: `${detail}, not a version Holdfast was tested with (${known})`,
    fix: `it may well work; if not, install ${known}: ${install}`,
  }
}
