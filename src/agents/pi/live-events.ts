// Owns what Pi's lines mean that come only in a conversation or a terminal: answers of `--mode rpc`, and those of our extension.
import type { AgentSays } from '../../ports/run/agent-driver.ts'
import {
  asFields,
  type Fields,
  isText,
  MOST_DETAIL,
  MOST_NAME,
  MOST_TEXT,
  short,
} from '../shared/json-line.ts'
import { readRequest } from './asking.ts'
import { classOfError } from './failure.ts'
import { endWith, textOf } from './message.ts'

const note = (text: string): AgentSays[] => [{ kind: 'note', text: short(text, MOST_DETAIL) }]

const readers = new Map<unknown, (event: Fields) => AgentSays[] | undefined>([
  ['response', readResponse],
  ['extension_ui_request', readRequest],
  ['extension_error', ({ error }) => (isText(error) ? note(`an extension failed: ${error}`) : undefined)],
  ['holdfast_heard', readHeard],
  ['holdfast_blocked', readBlocked],
  ['holdfast_settled', ({ message }) => endWith(asFields(message))],
])

/** Undefined for a line of another type, or without the right fields. */
export const readPiLive = (event: Fields): AgentSays[] | undefined => readers.get(event.type)?.(event)

/** Pi accepts a prompt before it works on it. For a prompt that it does not accept, this is the only report. */
function readResponse({ command, id, success, error, data }: Fields): AgentSays[] | undefined {
  if (success === true && command === 'prompt' && isText(id))
    return [{ kind: 'heard', ref: short(id, MOST_NAME), text: null }]
  const { sessionId } = asFields(data)
  if (success === true && command === 'get_state' && isText(sessionId))
    return [{ kind: 'session', id: short(sessionId, MOST_NAME) }]
  if (success !== false || !isText(error)) return undefined
  const text = short(error, MOST_TEXT)
  return command === 'prompt'
    ? [{ kind: 'finished', ok: false, text, failure: classOfError(text) }]
    : note(`it did not understand: ${text}`)
}

function readHeard({ id, message }: Fields): AgentSays[] {
  const text = textOf(asFields(message).content)
  return [{ kind: 'heard', ref: isText(id) ? short(id, MOST_NAME) : null, text }]
}

function readBlocked({ toolName, result }: Fields): AgentSays[] | undefined {
  if (!isText(toolName)) return undefined
  const why = short(textOf(asFields(result).content), MOST_DETAIL)
  return [{ kind: 'blocked', tool: short(toolName, MOST_NAME), why }]
}
