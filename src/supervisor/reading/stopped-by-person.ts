// Owns what an interrupted turn means: only a person interrupts an agent in its terminal, so a person is asked how it goes on. Pure.
import { HOLDFAST_ASKS } from '../../domain/conversation/holdfast-question.ts'
import type { AgentSays } from '../../ports/run/agent-driver.ts'
import type { QuestionDraft } from '../../ports/store/conversation.ts'
import type { Watch } from '../task/core.ts'

export const INTERRUPTED = 'interrupted in its terminal'

/** True unless the run's end was ordered (then Holdfast interrupted it), or it is a runtime: that waits for its next prompt. */
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
