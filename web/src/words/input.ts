// Owns the words for what became of something that was said to an agent and is no prompt. Pure.
import type { InputStateJson, QuestionJson } from '../../../src/protocol/json/task-json.ts'

/** No agent tells that it heard an answer: that the question is not asked any more does. `open`: those that still are. */
export function inputOutcome(
  { kind, question, said, heard }: Pick<InputStateJson, 'kind' | 'question' | 'said' | 'heard'>,
  open: readonly Pick<QuestionJson, 'number'>[],
): string {
  if (kind === 'answer' && !open.some(({ number }) => number === question)) return 'its question is closed'
  if (heard) return 'heard'
  return said ? 'given to the agent' : 'waits'
}
