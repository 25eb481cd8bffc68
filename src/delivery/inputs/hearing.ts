// Owns how a task's agent hears what we say after its start.
import type { Task } from '../../domain/task/task.ts'
import type { AgentDriver } from '../../ports/run/agent-driver.ts'
import type { Hearing } from '../../ports/run/run-files.ts'

type Asked = Pick<Task, 'mode' | 'snapshot'>

/**
 * Whether a headless agent hears while it works: a person wanted it, or the agent may ask questions that need an
 * answer.
 */
export const converses = ({ mode, snapshot }: Asked, { can }: AgentDriver) =>
  mode === 'headless' &&
  can.converse &&
  (snapshot.converse === true || can.asks.includes(snapshot.permission))

export function hearingOf(task: Asked, driver: AgentDriver): Hearing {
  if (task.mode === 'interactive') return 'terminal'
  return converses(task, driver) ? 'lines' : 'once'
}

/** `nothing`: the agent hears only its first prompt. */
export function hearsBy(task: Asked, driver: AgentDriver): 'nothing' | 'lines' | 'keys' {
  if (task.mode === 'interactive') return driver.can.terminal?.hears ?? 'nothing'
  return converses(task, driver) ? 'lines' : 'nothing'
}

/** The agent reports each prompt that it hears. If it does not, only its screen shows what it has heard. */
export const tellsWhatItHears = ({ mode }: Pick<Task, 'mode'>, { can }: AgentDriver) =>
  mode === 'headless' || can.terminal?.tells === 'events'
