// Owns which agent a new task gets, whether it is there, and whether it can do what is asked for.
import { HoldfastError } from '../../domain/errors.ts'
import { nearestNarrower, type Permission } from '../../domain/run/permission.ts'
import { notTrusted } from '../../domain/settings/approval.ts'
import type { Config } from '../../domain/settings/config.ts'
import type { Terms } from '../../domain/settings/role-terms.ts'
import type { Role } from '../../ports/files/roles.ts'
import type { AgentDriver } from '../../ports/run/agent-driver.ts'
import type { Core } from '../task/core.ts'
import type { AgentEnv } from './agent-env.ts'
import type { CreateRequest } from './create-request.ts'
import { whyUnusable } from './why-unusable.ts'

/** The agent that the request, the role or the config names; otherwise the first one that is installed. */
export async function chooseDriver(
  request: CreateRequest,
  role: Role | null,
  config: Config,
  core: Pick<Core, 'agents' | 'driver' | 'places'>,
): Promise<AgentDriver> {
  const kind = request.agent ?? role?.agent ?? config.agent
  const { waitingAgents: waiting } = request
  if (kind !== null && waiting?.kinds.includes(kind) && !Object.hasOwn(config.agents, kind))
    throw notTrusted(waiting.file, `it defines the agent '${kind}'`, waiting.approval)
  if (kind !== null) return core.driver(kind, config.agents)
  for (const driver of core.agents) if (await programOf(driver, request.callerEnv.PATH, core)) return driver
  const known = core.agents.map((driver) => driver.kind).join(', ')
  throw new HoldfastError('AGENT_NOT_CHOSEN', `No agent was named, and none of ${known} is on your PATH.`)
}

const programOf = async ({ program }: AgentDriver, path: string | undefined, core: Pick<Core, 'places'>) =>
  program === null ? undefined : core.places.findProgram(program.name, path ?? '')

export async function checkInstalled(
  driver: AgentDriver,
  env: AgentEnv,
  core: Pick<Core, 'places'>,
): Promise<void> {
  if (driver.program === null) return
  const { name, install } = driver.program
  const path = await programOf(driver, env.PATH, core)
  if (path === undefined)
    throw new HoldfastError(
      'AGENT_NOT_INSTALLED',
      `There is no '${name}' on your PATH. Install it: ${install}`,
    )
  const why = await whyUnusable(path, driver.program, env, core.places)
  if (why !== null)
    throw new HoldfastError('AGENT_TOO_OLD', `'${path}' cannot be used: ${why}. Install it: ${install}`)
}

/**
 * A session that a run starts has the permission of that run, unless it asks for another. An agent that does not know this
 * one gets the next that allows less. AGENT_CANNOT when it knows none.
 */
export function permissionWithin(
  { permission: asked, under }: CreateRequest,
  wanted: Permission,
  { kind, can: { permissions } }: AgentDriver,
): Permission {
  if (under === null || asked !== undefined || permissions.includes(wanted)) return wanted
  const narrower = nearestNarrower(wanted, permissions)
  if (narrower !== undefined) return narrower
  throw new HoldfastError(
    'AGENT_CANNOT',
    `The agent '${kind}' cannot be started here: the session that asks has the permissions '${wanted}', what it starts may have no more, and '${kind}' knows only ${permissions.join(', ')}. Choose another agent, or let a person start it.`,
  )
}

export function checkAbilities(request: CreateRequest & Terms, { kind, can }: AgentDriver): void {
  const cannot = (what: string) => new HoldfastError('AGENT_CANNOT', `The agent '${kind}' ${what}.`)
  if (request.standing !== undefined && can.terminal === null)
    throw cannot('cannot be told anything in its terminal, so it cannot stand by as a runtime')
  if (!can.modes.includes(request.mode)) throw cannot(`does not run in ${request.mode} mode`)
  if (request.converse && !can.converse)
    throw cannot('takes no further prompts without a terminal, so --converse is not possible')
  if (request.model !== undefined && !can.model) throw cannot('does not take a model')
  if (request.extraDirs.length > 0 && !can.extraDirs) throw cannot('does not take extra directories')
  if (!can.permissions.includes(request.permission))
    throw cannot(`does not support permissions '${request.permission}', only ${can.permissions.join(', ')}`)
}
