import type { Task } from '../domain/task/task.ts'
import type { Core } from '../supervisor/task/core.ts'
import type { AgentDriver } from './agent-driver.ts'

/** From the snapshot: an agent changed or removed in the config stays what it was for its tasks. */
export function driverOf({ agent, snapshot }: Task, core: Pick<Core, 'driver'>): AgentDriver {
  return core.driver(agent, snapshot.customAgent === undefined ? {} : { [agent]: snapshot.customAgent })
}
