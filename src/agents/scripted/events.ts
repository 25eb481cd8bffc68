// Owns what the scripted agent's event lines mean.
import { FAILURE_CLASSES } from '../../domain/run/failure-class.ts'
import type { AgentSays } from '../../ports/run/agent-driver.ts'
import {
  type Fields,
  fieldsOf,
  fileOf,
  isAmount,
  isCount,
  isText,
  MOST_DETAIL,
  MOST_NAME,
  MOST_TEXT,
  short,
  unknownLine,
} from '../shared/json-line.ts'
import { limitedBy } from '../shared/limited.ts'

const MOST_OPTIONS = 50

/** One reader per event type; undefined means that the fields are not what they should be. */
const readers = new Map<unknown, (event: Fields) => AgentSays[] | undefined>([
  ['session', ({ id }) => (isText(id) ? [{ kind: 'session', id: short(id, MOST_NAME) }] : undefined)],
  ['prompt', ({ text }) => (isText(text) ? [] : undefined)],
  [
    'heard',
    ({ ref }) => (isText(ref) ? [{ kind: 'heard', ref: short(ref, MOST_NAME), text: null }] : undefined),
  ],
  ['say', ({ text }) => (isText(text) ? [{ kind: 'said', text: short(text, MOST_TEXT) }] : undefined)],
  ['thought', ({ text }) => (isText(text) ? [{ kind: 'note', text: short(text, MOST_DETAIL) }] : undefined)],
  [
    'tool_start',
    (event) =>
      readTool(event, (tool, detail) => ({ kind: 'tool_began', tool, detail, ...fileOf(event.file) })),
  ],
  ['tool_end', readToolEnd],
  ['ask', readAsk],
  [
    'answer',
    ({ answer }) => (isText(answer) ? [{ kind: 'answered', answer: short(answer, MOST_TEXT) }] : undefined),
  ],
  ['limit', readLimit],
  ['usage', readUsage],
  ['result', readResult],
])

export function readScriptedEvent(line: string): AgentSays[] {
  const event = fieldsOf(line)
  return readers.get(event.type)?.(event) ?? [unknownLine(line)]
}

function readTool({ tool, detail }: Fields, says: (tool: string, detail: string) => AgentSays) {
  if (!isText(tool) || !isText(detail)) return undefined
  return [says(short(tool, MOST_NAME), short(detail, MOST_DETAIL))]
}

function readToolEnd(event: Fields) {
  const { ok } = event
  if (typeof ok !== 'boolean') return undefined
  return readTool(event, (tool, detail) => ({ kind: 'tool_ended', tool, ok, detail }))
}

function readAsk({ question, options, ref }: Fields): AgentSays[] | undefined {
  if (!isText(question) || !Array.isArray(options) || !options.every(isText)) return undefined
  const choices = options.slice(0, MOST_OPTIONS).map((option) => short(option, MOST_NAME))
  const named = isText(ref) ? { ref: short(ref, MOST_NAME) } : {}
  return [{ kind: 'asked', question: short(question, MOST_DETAIL), options: choices, ...named }]
}

function readLimit({ message, until }: Fields): AgentSays[] | undefined {
  if (!isText(message)) return undefined
  return [limitedBy(short(message, MOST_DETAIL), isCount(until) ? until : null)]
}

function readUsage({ tokens_in, tokens_out, cost_usd }: Fields): AgentSays[] | undefined {
  if (!isCount(tokens_in) || !isCount(tokens_out) || !isAmount(cost_usd)) return undefined
  return [{ kind: 'usage', tokensIn: tokens_in, tokensOut: tokens_out, costUsd: cost_usd }]
}

function readResult({ ok, text, failure: told }: Fields): AgentSays[] | undefined {
  if (typeof ok !== 'boolean' || !isText(text)) return undefined
  const failure = FAILURE_CLASSES.find((one) => one === told)
  return [{ kind: 'finished', ok, text: short(text, MOST_TEXT), ...(failure && { failure }) }]
}
