// Owns what OpenCode's lines mean: those of `opencode run --format json`, and those of our bridge. A one-shot run has no
// last line: the end of the process is the end.
import type { AgentSays } from '../../ports/run/agent-driver.ts'
import {
  asFields,
  type Fields,
  fieldsOf,
  isText,
  MOST_NAME,
  short,
  unknownLine,
} from '../shared/json-line.ts'
import { liveReaders } from './live-events.ts'
import {
  messageIn,
  readFailure,
  readSession,
  readText,
  readToolBegan,
  readToolEnded,
  readUsage,
} from './parts.ts'

/** Reasons after which the model is asked again. That is also so for `stop` with a tool call: then another `step_finish` follows. */
const GOES_ON = ['tool-calls', 'unknown']

/** One reader per event type; undefined means that the fields are not what they should be. */
const readers = new Map<unknown, (event: Fields) => AgentSays[] | undefined>([
  ['step_start', readSession],
  ['text', ({ part }) => readText(asFields(part))],
  ['tool_use', ({ part }) => readTool(asFields(part))],
  ['step_finish', ({ part }) => readStep(asFields(part))],
  ['error', readError],
  ...liveReaders,
])

export function readOpencodeEvent(line: string): AgentSays[] {
  const event = fieldsOf(line)
  return readers.get(event.type)?.(event) ?? [unknownLine(line)]
}

/** OpenCode reports a tool only when it has ended: its begin and its end are read from one line. */
function readTool(part: Fields): AgentSays[] | undefined {
  const ended = readToolEnded(part)
  return ended && [...(readToolBegan(part) ?? []), ...ended]
}

function readStep({ reason, tokens, cost }: Fields): AgentSays[] | undefined {
  if (!isText(reason)) return undefined
  const usage = readUsage(asFields(tokens), cost)
  if (GOES_ON.includes(reason)) return usage
  if (reason === 'stop') return [...usage, { kind: 'finished', ok: true, text: '' }]
  const text = `the model stopped early: ${short(reason, MOST_NAME)}`
  return [...usage, { kind: 'finished', ok: false, text, failure: 'crash' }]
}

function readError(event: Fields): AgentSays[] | undefined {
  const error = asFields(event.error)
  const text = messageIn(error)
  if (text === undefined) return undefined
  const session = readSession(event) ?? []
  return isNoResult(error) ? [...session, { kind: 'note', text }] : [...session, ...readFailure(event)]
}

/** A conversation that is too long is shortened, and goes on. An error with a `ref` only points to the log: the reason is on stderr. */
const isNoResult = ({ name, data }: Fields) => name === 'ContextOverflowError' || isText(asFields(data).ref)
