// Owns what an answer means: which question it answers, and with which of its options. Pure.
import { HoldfastError } from '../../domain/errors.ts'
import type { Question } from '../../domain/task/question.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Answer } from '../../ports/run/agent-driver.ts'

/**
 * `choice` is an option's words, its number as `status` shows it, or the beginning of exactly one option. Anything else
 * is a free text.
 */
export function answerOf(choice: string, { options }: Pick<Question, 'options'>): Answer {
  const words = choice.trim().toLowerCase()
  const byNumber = /^\d+$/.test(words) ? Number(words) - 1 : -1
  const same = options.findIndex((option) => option.toLowerCase() === words)
  const likely = options.flatMap((option, at) => (option.toLowerCase().startsWith(words) ? [at] : []))
  const beginning = words !== '' && likely.length === 1 ? likely[0]! : -1
  const option = [same, byNumber, beginning].find((at) => options[at] !== undefined) ?? null
  return { option, text: option === null ? choice : options[option]! }
}

/** The open question with this number. Without a number, the first that is not answered yet, or else the first. */
export function chooseQuestion(
  open: readonly Question[],
  number: number | undefined,
  { id }: Pick<Task, 'id'>,
): Question {
  const asked = number === undefined ? open : open.filter((question) => question.number === number)
  const question = asked.find(({ answer }) => answer === null) ?? asked[0]
  if (question !== undefined) return question
  throw new HoldfastError(
    'NOT_ASKING',
    number === undefined
      ? `Session ${id} has no open question.`
      : `Session ${id} has no open question ${number}.`,
  )
}
