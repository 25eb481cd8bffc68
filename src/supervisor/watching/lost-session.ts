// Owns the word that there is no such session: who was to be resumed in it is begun anew, no person can bring it back.

import { staysWhenIdle } from '../../delivery/inputs/hearing.ts'
import type { Run, Task } from '../../domain/task/task.ts'
import type { AgentDriver } from '../../ports/agent-driver.ts'

export const isLostSession = ({ how }: Run, words: readonly string[], { lostSession }: AgentDriver) =>
  how === 'resume' && words.some((text) => lostSession?.(text) === true)

/** Its process stays all the same, and waits for prompts that it cannot follow. */
export const staysWithoutSession = (task: Task, run: Run, driver: AgentDriver) =>
  staysWhenIdle(task) && run.result?.ok === false && isLostSession(run, [run.result.text], driver)
