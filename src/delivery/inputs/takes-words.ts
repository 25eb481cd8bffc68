import type { Question } from '../../domain/task/question.ts'
import type { AgentDriver, Answer } from '../../ports/run/agent-driver.ts'
import { reading } from '../../ports/run/screen.ts'

const ANY_WORDS: Answer = { option: null, text: 'words' }

/** Whether the agent takes an answer to this question that is none of its options. */
export function takesWords(
  { ref, text, options }: Pick<Question, 'ref' | 'text' | 'options'>,
  { lines, keys }: Pick<AgentDriver, 'lines' | 'keys'>,
): boolean {
  if (ref !== null) return (lines?.answer({ ref, question: text, options }, ANY_WORDS) ?? null) !== null
  const dialog = reading('asking', '', { question: { text, options } })
  return (keys?.choose(dialog, ANY_WORDS) ?? null) !== null
}
