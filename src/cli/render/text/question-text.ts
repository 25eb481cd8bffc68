// Owns how the CLI shows a question, and the commands that answer it.
import type { QuestionJson } from '../../../protocol/json/task-json.ts'
import { oneLine } from '../print/cells.ts'
import { elapsed } from '../print/time.ts'

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

/** `asked 2m 3s ago`; of a failure, about which no agent asks, `to be decided for 2m 3s`. */
export function sinceWhen(
  { asked_at, asked_by }: Pick<QuestionJson, 'asked_at' | 'asked_by'>,
  now: number,
): string {
  const since = elapsed((now - Date.parse(asked_at)) / 1000)
  return asked_by === 'holdfast' ? `to be decided for ${since}` : `asked ${since} ago`
}
