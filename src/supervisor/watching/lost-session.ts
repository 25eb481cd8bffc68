// Owns recognizing that an agent does not know the session in which it was to be resumed. Such a task begins anew,
// because no person can bring the session back.

import type { Run } from '../../domain/task/run.ts'
import { staysWhenIdle } from '../../domain/task/stays-when-idle.ts'
import type { Task } from '../../domain/task/task.ts'
import type { AgentDriver } from '../../ports/run/agent-driver.ts'

export const isLostSession = ({ how }: Run, words: readonly string[], { lostSession }: AgentDriver) =>
  how === 'resume' && words.some((text) => lostSession?.(text) === true)

/** The agent's process stays without a session, and waits for prompts that it cannot follow. */
export const staysWithoutSession = (task: Task, run: Run, driver: AgentDriver) =>
  staysWhenIdle(task) && run.result?.ok === false && isLostSession(run, [run.result.text], driver)
