import type { CustomAgents } from '../../domain/settings/custom-agents.ts'
import type { Task } from '../../domain/task/task.ts'
import type { AgentDriver } from './agent-driver.ts'

export type Drivers = {
  /** The driver of an agent that comes with Holdfast, or of one in `own`. AGENT_UNKNOWN when it is neither. */
  readonly driver: (kind: string, own: CustomAgents) => AgentDriver
}

/** Uses the snapshot: a task keeps its agent as it was, even if the config changes or removes that agent. */
export function driverOf({ agent, snapshot }: Task, { driver }: Drivers): AgentDriver {
  return driver(agent, snapshot.customAgent === undefined ? {} : { [agent]: snapshot.customAgent })
}
