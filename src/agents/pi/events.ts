// Owns what Pi's event lines in `--mode json` mean; its other lines are read in live-events.ts.
//
// The last event, `agent_settled`, does not say how Pi ended, and `agent_end` repeats the whole conversation: after hours of
// work that line may be too long to be read. So a good end is read from `turn_end`, any other from `agent_end`. When Pi goes
// on after a good end (an extension, a retry), it ends again: the last end counts.
import type { AgentSays } from '../../ports/run/agent-driver.ts'
import {
  asFields,
  type Fields,
  fieldsOf,
  fileOf,
  isAmount,
  isCount,
  isText,
  MOST_DETAIL,
  MOST_NAME,
  short,
  unknownLine,
} from '../shared/json-line.ts'
import { readPiLive } from './live-events.ts'
import { endsWell, endWith, readUsage, textOf } from './message.ts'

const nothing = (): AgentSays[] => []

/** One reader per event type; undefined means that the fields are not what they should be. */
const readers = new Map<unknown, (event: Fields) => AgentSays[] | undefined>([
  ['session', ({ id }) => (isText(id) ? [{ kind: 'session', id: short(id, MOST_NAME) }] : undefined)],
  ['message_end', ({ message }) => readMessage(asFields(message))],
  ['tool_execution_start', readToolStart],
  ['tool_execution_end', readToolEnd],
  ['turn_end', readTurnEnd],
  ['agent_end', readAgentEnd],
  ['auto_retry_start', readRetry],
  ['compaction_end', readCompaction],
  // Beginnings, parts and repetitions of the events above.
  ...['agent_start', 'turn_start', 'message_start', 'message_update', 'tool_execution_update'].map(silent),
  ...['auto_retry_end', 'agent_settled', 'compaction_start', 'entry_appended', 'queue_update'].map(silent),
  ...['session_info_changed', 'thinking_level_changed', 'bash_execution_update'].map(silent),
])

function silent(type: string): [string, typeof nothing] {
  return [type, nothing]
}

export function readPiEvent(line: string): AgentSays[] {
  const event = fieldsOf(line)
  return readers.get(event.type)?.(event) ?? readPiLive(event) ?? [unknownLine(line)]
}

/** Prompts and answers of tools are messages, too, but are read from other events. */
function readMessage(message: Fields): AgentSays[] | undefined {
  if (!isText(message.role)) return undefined
  if (message.role !== 'assistant') return []
  const text = textOf(message.content)
  return [...(text === '' ? [] : [{ kind: 'said', text } as const]), ...readUsage(message.usage)]
}

function readToolStart({ toolName, args }: Fields): AgentSays[] | undefined {
  if (!isText(toolName)) return undefined
  const { command, path } = asFields(args)
  const detail = [command, path].find(isText) ?? JSON.stringify(args) ?? ''
  const file = toolName === 'write' || toolName === 'edit' ? fileOf(path) : {}
  return [
    { kind: 'tool_began', tool: short(toolName, MOST_NAME), detail: short(detail, MOST_DETAIL), ...file },
  ]
}

/** A tool that is not allowed, or that an extension blocked, also ends with this event, with the reason. */
function readToolEnd({ toolName, result, isError }: Fields): AgentSays[] | undefined {
  if (!isText(toolName) || typeof isError !== 'boolean') return undefined
  const detail = short(textOf(asFields(result).content), MOST_DETAIL)
  return [{ kind: 'tool_ended', tool: short(toolName, MOST_NAME), ok: !isError, detail }]
}

function readTurnEnd({ message }: Fields): AgentSays[] | undefined {
  const last = asFields(message)
  if (!isText(last.stopReason)) return undefined
  return endsWell(last) ? [{ kind: 'finished', ok: true, text: textOf(last.content) }] : []
}

/** An old Pi (0.73) does not say whether it will try again: then the last of several ends counts. */
function readAgentEnd({ messages, willRetry }: Fields): AgentSays[] | undefined {
  if (!Array.isArray(messages)) return undefined
  const last = messages.map(asFields).findLast(({ role }) => role === 'assistant')
  return last === undefined || willRetry === true || endsWell(last) ? [] : endWith(last)
}

function readRetry({ attempt, maxAttempts, delayMs, errorMessage }: Fields): AgentSays[] | undefined {
  if (!isCount(attempt) || !isCount(maxAttempts) || !isAmount(delayMs) || !isText(errorMessage))
    return undefined
  const text = `retry ${attempt} of ${maxAttempts} in ${delayMs / 1000} s: ${short(errorMessage, MOST_DETAIL)}`
  return [{ kind: 'note', text }]
}

/** The summary of a conversation that was too long has a cost, too. */
function readCompaction({ result, errorMessage }: Fields): AgentSays[] {
  const text = isText(errorMessage) ? short(errorMessage, MOST_DETAIL) : 'the conversation was summarised'
  return [{ kind: 'note', text }, ...readUsage(asFields(result).usage)]
}
