// Owns the environment that an agent is started with.
import { HoldfastError } from '../../domain/errors.ts'
import { allowedEnv, isNeverPassedOn } from '../../domain/run/caller-environment.ts'
import { checkEnv } from '../../domain/run/env-entry.ts'
import type { Config } from '../../domain/settings/config.ts'
import type { AgentDriver } from '../../ports/run/agent-driver.ts'
import type { CreateRequest } from './create-request.ts'

export type AgentEnv = Readonly<Record<string, string>>

/** The allowed part of the caller's, and what was set for the task. */
export function agentEnv(
  { callerEnv, setEnv }: Pick<CreateRequest, 'callerEnv' | 'setEnv'>,
  driver: AgentDriver,
  config: Config,
): AgentEnv {
  const ours = Object.keys(setEnv).find(isNeverPassedOn)
  if (ours !== undefined)
    throw new HoldfastError('INVALID_NAME', `${ours} can only be set by Holdfast itself.`)
  const env = { ...allowedEnv(callerEnv, [...config['env.pass'], ...driver.ownEnv]), ...setEnv }
  checkEnv(env)
  return env
}
