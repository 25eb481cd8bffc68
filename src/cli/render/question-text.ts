import type { QuestionJson } from '../../protocol/task-json.ts'
import { oneLine } from './cells.ts'

/** Ready to be answered: the options with their numbers. */
export const questionLines = ({ number, question, options }: QuestionJson): string[] => [
  '',
  `Question ${number}: ${oneLine(question)}`,
  ...optionLines(options),
]

export const optionLines = (options: readonly string[]) =>
  options.map((option, at) => `  ${at + 1}. ${oneLine(option)}`)
