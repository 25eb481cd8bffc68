// The coding agents Holdfast knows, in the order in which they are looked for when a task names none.
import type { AgentDriver } from '../ports/agent-driver.ts'

export const realDrivers: readonly AgentDriver[] = []
