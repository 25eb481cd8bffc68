// Owns what the bridge's lines mean: events of OpenCode's server, and a few of the bridge's own.
import type { AgentSays } from '../../ports/run/agent-driver.ts'
import {
  asFields,
  type Fields,
  isCount,
  isText,
  MOST_DETAIL,
  MOST_NAME,
  MOST_TEXT,
  short,
} from '../shared/json-line.ts'
import { PERMISSION_OPTIONS } from './lines.ts'
import { readFailure, readSession, readText, readToolBegan, readToolEnded, readUsage } from './parts.ts'

const MOST_OPTIONS = 50
/** The latest time that a Date can hold. */
const LATEST_MS = 8.64e15

type Reader = (event: Fields) => AgentSays[] | undefined
const ofProperties =
  (read: Reader): Reader =>
  ({ properties }) =>
    read(asFields(properties))

export const liveReaders: readonly (readonly [string, Reader])[] = [
  ['holdfast.session', readSession],
  ['holdfast.heard', readHeard],
  [
    'holdfast.note',
    ({ text }) => (isText(text) ? [{ kind: 'note', text: short(text, MOST_DETAIL) }] : undefined),
  ],
  ['holdfast.finished', readFinished],
  ['message.part.updated', ofProperties(({ part }) => readPart(asFields(part)))],
  ['session.status', ofProperties(({ status }) => readRetry(asFields(status)))],
  ['permission.asked', ofProperties(readPermission)],
  ['permission.replied', ofProperties(({ reply }) => answered(reply))],
  ['question.asked', ofProperties(readQuestion)],
  [
    'question.replied',
    ofProperties(({ answers }) => answered(listed(Array.isArray(answers) ? answers.flat() : []))),
  ],
  ['question.rejected', () => answered('dismissed')],
]

function readHeard({ ref, text }: Fields): AgentSays[] | undefined {
  if (isText(ref)) return [{ kind: 'heard', ref: short(ref, MOST_NAME), text: null }]
  return isText(text) ? [{ kind: 'heard', ref: null, text: short(text, MOST_TEXT) }] : undefined
}

function readPart(part: Fields): AgentSays[] | undefined {
  if (part.type === 'text') return readText(part)
  if (part.type === 'step-finish') return readUsage(asFields(part.tokens), part.cost)
  if (part.type !== 'tool') return undefined
  return asFields(part.state).status === 'running' ? readToolBegan(part) : readToolEnded(part)
}

/** OpenCode retries by itself. How the turn ended, also at a limit, it reports after the last retry. */
function readRetry({ type, message, next }: Fields): AgentSays[] | undefined {
  if (type !== 'retry' || !isText(message)) return undefined
  const when = isCount(next) && next <= LATEST_MS ? ` at ${new Date(next).toISOString()}` : ''
  return [{ kind: 'note', text: `it tries again${when}: ${short(message, MOST_DETAIL)}` }]
}

function readPermission({ id, permission, patterns, metadata, always }: Fields): AgentSays[] | undefined {
  if (!isText(id) || !isText(permission)) return undefined
  const { command, filepath } = asFields(metadata)
  const what = [command, filepath].find(isText) ?? listed(patterns)
  const lasting = listed(always)
  const question = [`Allow ${permission}?`, what, ...(lasting === '' ? [] : [`(always: ${lasting})`])]
  return [asked(question.join('\n'), PERMISSION_OPTIONS, id)]
}

/** The bridge writes one line for each question of a request, with its number. */
function readQuestion({ id, questions, number }: Fields): AgentSays[] | undefined {
  const { question, options } = asFields(Array.isArray(questions) ? questions[0] : undefined)
  if (!isText(id) || !isText(question) || !Array.isArray(options)) return undefined
  const labels = options.map((option) => asFields(option).label).filter(isText)
  return [asked(question, labels, `${id}/${isCount(number) ? number : 0}`)]
}

const asked = (question: string, options: readonly string[], ref: string): AgentSays => ({
  kind: 'asked',
  question: short(question, MOST_DETAIL),
  options: options.slice(0, MOST_OPTIONS).map((option) => short(option, MOST_NAME)),
  ref: short(ref, MOST_NAME),
})

const answered = (answer: unknown): AgentSays[] => [
  { kind: 'answered', answer: short(isText(answer) ? answer : '', MOST_TEXT) },
]

const listed = (texts: unknown) => (Array.isArray(texts) ? texts.filter(isText).join(', ') : '')

function readFinished(event: Fields): AgentSays[] {
  const { finish, error } = event
  if (error !== undefined) return readFailure(event)
  if (finish === 'stop') return [{ kind: 'finished', ok: true, text: '' }]
  // After a refusal on its screen, OpenCode stops after the tool call and waits for the person.
  if (finish === 'tool-calls')
    return [{ kind: 'finished', ok: false, text: 'it stopped because a tool call was refused' }]
  const text = `the model stopped early: ${isText(finish) ? short(finish, MOST_NAME) : 'no answer'}`
  return [{ kind: 'finished', ok: false, text, failure: 'crash' }]
}
