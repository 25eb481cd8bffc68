// Owns the `answers` setting: rules that answer questions of agents without a person.
import { BadSetting } from '../bad-setting.ts'
import { asciiJson } from '../text/ascii-json.ts'
import { checkUserPattern } from './user-pattern.ts'

export type AnswerRule = {
  /** A regular expression that the question's text has to match; known to compile. */
  readonly match: string
  /** Null: the rule is for all agents. */
  readonly agent: string | null
  /** The number or the text of an option; any text for a question without options. */
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

/** A person reads the rules before approving them. */
export const answerRulesText = (rules: readonly AnswerRule[]) => asciiJson(rules)

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
