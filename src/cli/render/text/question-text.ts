import type { QuestionJson } from '../../../protocol/json/task-json.ts'
import { oneLine } from '../print/cells.ts'

/** The question, and its options with the numbers by which they are chosen. */
export const questionLines = ({ number, question, options }: QuestionJson): string[] => [
  '',
  `Question ${number}: ${oneLine(question)}`,
  ...optionLines(options),
]

export const optionLines = (options: readonly string[]) =>
  options.map((option, at) => `  ${at + 1}. ${oneLine(option)}`)

/** What a person can do about a question: `Answer with: …`. `isOnlyQuestion`: its session has no other open question. */
export function whatToDo(
  id: string,
  { number, answer_way }: Pick<QuestionJson, 'number' | 'answer_way'>,
  isOnlyQuestion: boolean,
): string {
  const before =
    answer_way === 'none' ? 'No answer can reach this session. Start it again or end it' : 'Answer with'
  return `${before}: ${commandsFor(id, { number, answer_way }, isOnlyQuestion).join(', ')}`
}

export const commandsFor = (
  id: string,
  { number, answer_way }: Pick<QuestionJson, 'number' | 'answer_way'>,
  isOnlyQuestion: boolean,
) => (answer_way === 'none' ? unansweredCommands(id) : [answerCommand(id, isOnlyQuestion ? null : number)])

export const unansweredCommands = (id: string) => [`holdfast retry ${id}`, `holdfast kill ${id}`]

/** `number`: which question is meant, when the task has several; else null. */
export const answerCommand = (id: string, number: number | null) =>
  `holdfast answer ${id}${number === null ? '' : ` --question ${number}`} <choice>`
