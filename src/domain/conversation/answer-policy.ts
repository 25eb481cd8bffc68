// Owns which of the user's rules answers a question, if any. Pure.
import type { AnswerRule } from '../settings/answer-rules.ts'
import type { Question } from '../task/question.ts'
import { linearPattern } from '../text/linear-pattern.ts'
import { isOwnQuestion } from './holdfast-question.ts'

type Asked = Pick<Question, 'text' | 'options' | 'ref'>

/** The first rule that applies; undefined when a person has to answer. Only a person answers Holdfast's own questions. */
export const ruleFor = (rules: readonly AnswerRule[], question: Asked, agent: string) =>
  isOwnQuestion(question)
    ? undefined
    : rules.find((rule) => (rule.agent === null || rule.agent === agent) && matches(rule, question.text))

/** Characters of a question that are matched: an agent writes it, and it may be of any length. */
const MOST_TEXT = 2000

const matches = ({ match }: AnswerRule, question: string) =>
  isUsable({ match }) && linearPattern(match).find(question.slice(0, MOST_TEXT)) !== undefined

/** False for a pattern that settings refuse today: an older version may have stored it with a task. */
export function isUsable({ match }: Pick<AnswerRule, 'match'>): boolean {
  try {
    linearPattern(match)
    return true
  } catch {
    return false
  }
}
