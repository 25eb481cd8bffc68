import type { CustomAgents } from '../domain/settings/custom-agents.ts'
import type { Task } from '../domain/task/task.ts'
import type { AgentDriver } from './agent-driver.ts'

export type Drivers = {
  /** One that Holdfast brings, or one of the user's own. AGENT_UNKNOWN when it is neither. */
  readonly driver: (kind: string, own: CustomAgents) => AgentDriver
}

/** From the snapshot: an agent changed or removed in the config stays what it was for its tasks. */
export function driverOf({ agent, snapshot }: Task, { driver }: Drivers): AgentDriver {
  return driver(agent, snapshot.customAgent === undefined ? {} : { [agent]: snapshot.customAgent })
}
