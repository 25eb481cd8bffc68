// Owns how a task's agent hears what we say after its start.
import type { Task } from '../../domain/task/task.ts'
import type { AgentDriver } from '../../ports/agent-driver.ts'
import type { Hearing } from '../../ports/run-files.ts'

type Asked = Pick<Task, 'mode' | 'snapshot'>

/** Spoken to without a terminal: because it was asked for, or because it may ask and somebody must be able to answer. */
export const converses = ({ mode, snapshot }: Asked, { can }: AgentDriver) =>
  mode === 'headless' &&
  can.converse &&
  (snapshot.converse === true || can.asks.includes(snapshot.permission))

export function hearingOf(task: Asked, driver: AgentDriver): Hearing {
  if (task.mode === 'interactive') return 'terminal'
  return converses(task, driver) ? 'lines' : 'once'
}

/** `nothing`: its first prompt was all it hears. */
export function hearsBy(task: Asked, driver: AgentDriver): 'nothing' | 'lines' | 'keys' {
  if (task.mode === 'interactive') return driver.can.terminal?.hears ?? 'nothing'
  return converses(task, driver) ? 'lines' : 'nothing'
}

/** It does not end with its turn: a person ends it, in its terminal or by word. */
export const staysWhenIdle = (task: Asked) => task.mode === 'interactive' || task.snapshot.converse === true

/** Otherwise only its screen shows that it has a prompt. */
export const tellsWhatItHears = ({ mode }: Pick<Task, 'mode'>, { can }: AgentDriver) =>
  mode === 'headless' || can.terminal?.tells === 'events'
