// Owns what became of an answer that was stored, by what the daemon tells of its task. Pure.
import type { EventKind } from '../../../../src/domain/journal/events.ts'
import type { TaskDetailJson } from '../../../../src/protocol/json/task-json.ts'

/** `closed`: the agent took it. `ended`: the task has ended, and nothing waits for the answer. */
export type AnswerOutcome = 'closed' | 'ended'

const OUTCOMES: Partial<Record<EventKind, AnswerOutcome>> = {
  task_question_settled: 'closed',
  task_turn_began: 'closed',
  task_turn_finished: 'closed',
  task_completed: 'closed',
  task_failed: 'ended',
  task_cancelled: 'ended',
  task_removed: 'ended',
}

/** Undefined: the event does not tell. */
export const outcomeByEvent = (kind: EventKind): AnswerOutcome | undefined => OUTCOMES[kind]

type Asking = Pick<TaskDetailJson, 'task_status'> & {
  readonly questions: readonly Pick<TaskDetailJson['questions'][number], 'number'>[]
}

/** `number`: of the question. Undefined: the agent has not taken the answer yet. */
export function outcomeByTask(
  { task_status: status, questions }: Asking,
  number: number,
): AnswerOutcome | undefined {
  if (status === 'failed' || status === 'cancelled') return 'ended'
  return questions.some((open) => open.number === number) ? undefined : 'closed'
}
