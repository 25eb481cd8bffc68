// Owns what an interrupted turn means: in its terminal only a person interrupts an agent, and is asked how it goes on. Pure.
import { HOLDFAST_ASKS } from '../../domain/conversation/holdfast-question.ts'
import type { AgentSays } from '../../ports/agent-driver.ts'
import type { QuestionDraft } from '../../ports/store-changes.ts'
import type { Watch } from '../task/core.ts'

export const INTERRUPTED = 'interrupted in its terminal'

/** Unless its end was ordered: then we did it. A runtime that is interrupted waits for its next prompt, as always. */
export const isStoppedByPerson = (said: AgentSays, { task }: Pick<Watch, 'task'>) =>
  said.kind === 'finished' &&
  said.interrupted === true &&
  task.mode === 'interactive' &&
  task.snapshot.standing !== true &&
  !task.stop &&
  !task.restart

export const stoppedQuestion = ({ task, run }: Pick<Watch, 'task' | 'run'>, at: number): QuestionDraft => ({
  taskId: task.id,
  runId: run.id,
  text: `Stopped by you (${INTERRUPTED}): resume or close?`,
  options: ['resume', 'close'],
  ref: HOLDFAST_ASKS,
  askedAt: at,
})
