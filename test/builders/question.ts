import type { RunId, TaskId } from '../../src/domain/names/ids.ts'
import type { Question } from '../../src/domain/task/question.ts'
import type { QuestionDraft } from '../../src/ports/store/conversation.ts'
import { NOON, RUN_ID, TASK_ID } from './ids.ts'

/** An open question that nobody has answered, with what the test cares about changed. */
export const aQuestion = (changes: Partial<Question> = {}): Question => ({
  ...aQuestionDraft({ id: TASK_ID, runId: RUN_ID }, { text: 'Go on?', options: ['Yes', 'No'], ref: 'r1' }),
  number: 1,
  answer: null,
  answeredBy: null,
  answeredAt: null,
  settledAt: null,
  ...changes,
})

/** What this run of this task asks. */
export const aQuestionDraft = (
  { id, runId }: { id: TaskId; runId: RunId },
  changes: Partial<QuestionDraft> = {},
): QuestionDraft => ({
  taskId: id,
  runId,
  text: 'May I delete it?',
  options: ['yes', 'no'],
  ref: null,
  askedAt: NOON + 3,
  ...changes,
})
