// Owns the questions of Claude Code on its live channel, and their answers. The question's ref holds all that an answer needs.
import type { AgentSays, Answer, Lines } from '../../ports/run/agent-driver.ts'
import { asDetail, asFields, type Fields, fieldsOf, isText, MOST_DETAIL, short } from '../shared/json-line.ts'
import { argumentsOf, listIn } from './says.ts'

const MOST_GRANTS = 8
const DENIED = 'The user does not allow this. Go on without it.'

export function readControlRequest({ request_id: id, request }: Fields): AgentSays[] | undefined {
  const { subtype, tool_name: tool, input, permission_suggestions, decision_reason } = asFields(request)
  if (subtype !== 'can_use_tool' || !isText(id) || !isText(tool)) return undefined
  const question = questionAbout(tool, input, decision_reason)
  const questions = questionsIn(tool, input)
  if (questions.length > 0)
    return [{ kind: 'asked', question, options: labelsOf(questions), ref: JSON.stringify({ id, questions }) }]
  const grants = listIn(permission_suggestions)
    .map((suggested) => ({ ...suggested, destination: 'session' }))
    .filter((grant) => nameOf(grant) !== undefined)
    .slice(0, MOST_GRANTS)
  const more = grants.map((grant) => `Allow, and until the session ends also allow ${nameOf(grant)}`)
  return [
    { kind: 'asked', question, options: ['Allow', ...more, 'Deny'], ref: JSON.stringify({ id, grants }) },
  ]
}

/** What a person is asked: the agent's own questions, or whether it may use a tool. */
export function questionAbout(tool: string, input: unknown, reason?: unknown): string {
  const questions = questionsIn(tool, input)
  const texts = questions.map(({ question, options }) =>
    questions.length === 1 ? asDetail(question) : `${asDetail(question)} (${namesIn(options).join(', ')})`,
  )
  const request = [`Allow ${tool}?`, argumentsOf(input), ...(isText(reason) ? [reason] : [])]
  return short((texts.length > 0 ? texts : request).join('\n'), MOST_DETAIL)
}

const questionsIn = (tool: string, input: unknown): Fields[] =>
  tool === 'AskUserQuestion'
    ? listIn(asFields(input).questions).filter(({ question }) => isText(question))
    : []

const namesIn = (options: unknown) => listIn(options).map(({ label }) => asDetail(label))

/** One question has its options. Several are shown together, and one text answers them all. */
const labelsOf = ([only, ...others]: readonly Fields[]) => (others.length === 0 ? namesIn(only?.options) : [])

/** A grant in words; undefined for an unknown kind. Grants end with the session: settings files stay as they are. */
function nameOf({ type, rules, directories, mode, behavior }: Fields): string | undefined {
  if (type === 'addRules' && behavior === 'allow') return listIn(rules).map(ruleName).join(', ')
  if (type === 'addDirectories' && Array.isArray(directories))
    return `work in ${directories.map(asDetail).join(', ')}`
  if (type === 'setMode' && isText(mode)) return `all that mode ${asDetail(mode)} allows`
  return undefined
}

const ruleName = ({ toolName, ruleContent }: Fields) =>
  isText(ruleContent) ? `${asDetail(toolName)}(${asDetail(ruleContent)})` : asDetail(toolName)

type Asked = Parameters<Lines['answer']>[0]

/** Null when `answer` does not fit this question. */
export function responseTo(asked: Asked, answer: Answer): Fields | null {
  const { id, grants, questions } = fieldsOf(asked.ref)
  if (!isText(id)) return null
  const response = Array.isArray(questions)
    ? answered(listIn(questions), wordsOf(asked, answer))
    : permitted(listIn(grants), asked.options.length, answer)
  return response && { type: 'control_response', response: { subtype: 'success', request_id: id, response } }
}

const wordsOf = ({ options }: Asked, { option, text }: Answer) =>
  option === null ? text : (options[option] ?? '')

function answered(questions: readonly Fields[], words: string): Fields | null {
  if (words.trim() === '') return null
  const answers = Object.fromEntries(questions.map(({ question }) => [question, words]))
  return { behavior: 'allow', updatedInput: { questions, answers } }
}

/** A free text is a refusal that says what to do instead. */
function permitted(grants: readonly Fields[], options: number, { option, text }: Answer): Fields | null {
  if (option === null) return text.trim() === '' ? null : { behavior: 'deny', message: text }
  if (option === 0) return { behavior: 'allow' }
  if (option === options - 1) return { behavior: 'deny', message: DENIED }
  const grant = grants[option - 1]
  return grant ? { behavior: 'allow', updatedPermissions: [grant] } : null
}

/** Claude Code repeats the answer that it was given; other responses are not about a question. */
export function readControlResponse({ response }: Fields): AgentSays[] {
  const { behavior, updatedInput } = asFields(asFields(response).response)
  if (behavior !== 'allow' && behavior !== 'deny') return []
  const words = [...new Set(Object.values(asFields(asFields(updatedInput).answers)))].map(asDetail)
  return [{ kind: 'answered', answer: words.join(', ') || (behavior === 'allow' ? 'allowed' : 'denied') }]
}
