// Owns which of the user's rules answers a question, if any. Pure.
import { runInNewContext } from 'node:vm'
import type { AnswerRule } from './answer-rules.ts'
import { HOLDFAST_ASKS } from './holdfast-question.ts'
import type { Question } from './task.ts'

type Asked = Pick<Question, 'text' | 'options' | 'ref'>

/** The first rule that applies, or undefined: then a person is needed. What Holdfast itself asks is always for a person. */
export const ruleFor = (rules: readonly AnswerRule[], question: Asked, agent: string) =>
  question.ref === HOLDFAST_ASKS
    ? undefined
    : rules.find((rule) => (rule.agent === null || rule.agent === agent) && matches(rule, question.text))

/** An agent writes the question: its length and wording may make an innocent pattern run for ever. */
const MOST_TEXT = 2000
const LONGEST_MATCHING_MS = 100

function matches({ match }: AnswerRule, question: string): boolean {
  const given = { match, text: question.slice(0, MOST_TEXT) }
  try {
    return runInNewContext('new RegExp(match).test(text)', given, { timeout: LONGEST_MATCHING_MS }) === true
  } catch {
    return false
  }
}
