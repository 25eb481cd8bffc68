import type { QuestionJson } from '../../src/protocol/json/task-json.ts'

/** What an agent asks, as the daemon tells it, with what the test cares about changed. */
export const aQuestionJson = (changes: Partial<QuestionJson> = {}): QuestionJson => ({
  number: 1,
  question: 'Sure?',
  options: ['yes', 'no'],
  asked_at: '2025-11-18T15:30:42Z',
  answer_way: 'at_once',
  takes_text: true,
  asked_by: 'agent',
  ...changes,
})
