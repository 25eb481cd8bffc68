// Owns which of the user's rules answers a question, if any. Pure.
import type { AnswerRule } from '../settings/answer-rules.ts'
import type { Question } from '../task/task.ts'
import { linearPattern } from '../text/linear-pattern.ts'
import { isOwnQuestion } from './holdfast-question.ts'

type Asked = Pick<Question, 'text' | 'options' | 'ref'>

/** The first rule that applies, or undefined: then a person is needed. What Holdfast itself asks is always for a person. */
export const ruleFor = (rules: readonly AnswerRule[], question: Asked, agent: string) =>
  isOwnQuestion(question)
    ? undefined
    : rules.find((rule) => (rule.agent === null || rule.agent === agent) && matches(rule, question.text))

/** An agent writes the question. */
const MOST_TEXT = 2000

const matches = ({ match }: AnswerRule, question: string) =>
  isUsable({ match }) && linearPattern(match).find(question.slice(0, MOST_TEXT)) !== undefined

/** Settings with others are refused, but a task may have been stored by a version that took them. */
export function isUsable({ match }: Pick<AnswerRule, 'match'>): boolean {
  try {
    linearPattern(match)
    return true
  } catch {
    return false
  }
}
