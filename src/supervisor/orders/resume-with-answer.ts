// Owns answering an agent that hears nothing while it lives: its run is ended if it still lives, and the agent is resumed with the answer.

import { moveTask } from '../../changes/move-task.ts'
import { tryCommit } from '../../changes/try-commit.ts'
import { type Answered, auditOfAnswer } from '../../delivery/inputs/queue-answer.ts'
import { saw } from '../../domain/task/evidence.ts'
import { type GoOn, wordsOfAnswer } from '../../domain/task/go-on.ts'
import type { Task } from '../../domain/task/task.ts'
import type { TaskMove } from '../../ports/store/tasks.ts'
import type { Core } from '../task/core.ts'

/**
 * Stores the answer and the order to resume in one commit. False when somebody else answered first.
 * The caller must hold the task's lock.
 */
export async function resumeWithAnswer(
  task: Task,
  answered: Answered,
  core: Pick<Core, 'clock' | 'commit' | 'watched'>,
): Promise<boolean> {
  const { question, answer, by, along } = answered
  const at = core.clock.now()
  const change = {
    answered: { taskId: task.id, number: question.number, answer: answer.text, by, at },
    task: moveFor(task, answered, at, core),
    audit: auditOfAnswer(task, answered, at),
    ...along,
  }
  return (await tryCommit(change, core)) !== undefined
}

function moveFor(
  task: Task,
  { question, answer, by }: Answered,
  at: number,
  core: Pick<Core, 'watched'>,
): TaskMove {
  const goOn: GoOn = { how: 'resume', say: wordsOfAnswer(question.text, answer.text) }
  const reason = `answered by ${by}; it is resumed with the answer`
  const step = {
    id: task.id,
    from: task.status,
    reason,
    evidence: [saw(by === 'policy' ? 'store' : 'person', `answered by ${by}`)],
    at,
  }
  const restart = { kind: 'answer', by, reason, at, goOn, mode: null } as const
  return core.watched.has(task.id)
    ? moveTask({ ...step, event: 'question_settled', set: { restart } })
    : moveTask({ ...step, event: 'requeued', goOn, set: { retries: 0, restart: null, runId: null } })
}
