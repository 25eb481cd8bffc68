// Owns the questions that a user allows to be answered without them, as they stand in the config.
import { BadSetting } from '../bad-setting.ts'
import { checkUserPattern } from './user-pattern.ts'

export type AnswerRule = {
  /** A regular expression on the question, known to compile. */
  readonly match: string
  /** Null: of any agent. */
  readonly agent: string | null
  /** An option's number or words; or a text, where there are no options. */
  readonly answer: string
}

const FIELDS = ['match', 'agent', 'answer']
const MOST_RULES = 100
const LONGEST_PATTERN = 200
const LONGEST_ANSWER = 1000

export function readAnswerRules(raw: unknown): AnswerRule[] {
  if (!Array.isArray(raw) || raw.length > MOST_RULES)
    throw new BadSetting(`must be a list of at most ${MOST_RULES} rules with ${FIELDS.join(', ')}`)
  return raw.map((rule, at) => readRule(rule, `[${at}]`))
}

/** In plain ASCII: a person reads it before they approve it. */
export const answerRulesText = (rules: readonly AnswerRule[]) =>
  JSON.stringify(rules).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

function readRule(raw: unknown, at: string): AnswerRule {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw new BadSetting(`must be a map with ${FIELDS.join(', ')}`, at)
  const unknown = Object.keys(raw).find((field) => !FIELDS.includes(field))
  if (unknown !== undefined)
    throw new BadSetting(`is unknown; known are ${FIELDS.join(', ')}`, `${at}.${unknown}`)
  const { match, agent = null, answer } = raw as Record<string, unknown>
  return {
    match: checkUserPattern(match, `${at}.match`, LONGEST_PATTERN),
    agent: agent === null ? null : readText(agent, `${at}.agent`),
    answer: typeof answer === 'number' ? String(answer) : readText(answer, `${at}.answer`),
  }
}

function readText(raw: unknown, at: string): string {
  if (typeof raw !== 'string' || raw.trim() === '' || raw.length > LONGEST_ANSWER || raw.includes('\0'))
    throw new BadSetting(`must be a text of at most ${LONGEST_ANSWER} characters`, at)
  return raw
}
