import { layoutPrompt } from '../../domain/conversation/layout-prompt.ts'
import type { Task } from '../../domain/task/task.ts'
import type { AgentDriver } from '../../ports/run/agent-driver.ts'

/** What a first run is told: the prompt, after the persona if the agent has no flag for one. */
export const promptOf = ({ id, snapshot }: Task, { can }: AgentDriver) =>
  layoutPrompt(id, can.personaFlag ? { ...snapshot, persona: null } : snapshot)
