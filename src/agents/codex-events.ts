// What Codex says with `exec --json`, line by line.
import type { AgentSays } from '../ports/agent-driver.ts'
import { codexFailure } from './codex-failure.ts'
import {
  asDetail,
  asFields,
  type Fields,
  fieldsOf,
  isCount,
  isText,
  MOST_DETAIL,
  MOST_NAME,
  MOST_TEXT,
  short,
  unknownLine,
} from './json-line.ts'

/** Undefined means that the fields are not what they should be. */
type Reader = (fields: Fields) => AgentSays[] | undefined

const note: (field: string) => Reader = (field) => (fields) => {
  const text = fields[field]
  return isText(text) ? [{ kind: 'note', text: short(text, MOST_DETAIL) }] : undefined
}

const nothing: Reader = () => []

const events = new Map<unknown, Reader>([
  ['thread.started', readSession],
  ['turn.started', nothing],
  ['turn.completed', readCompleted],
  ['turn.failed', readFailed],
  ['item.started', ({ item }) => readItem(asFields(item), false)],
  ['item.updated', nothing],
  ['item.completed', ({ item }) => readItem(asFields(item), true)],
  // A retry, or what `turn.failed` says again.
  ['error', note('message')],
])

export function readCodexEvent(line: string): AgentSays[] {
  const event = fieldsOf(line)
  return events.get(event.type)?.(event) ?? [unknownLine(line)]
}

function readSession({ thread_id }: Fields): AgentSays[] | undefined {
  return isText(thread_id) ? [{ kind: 'session', id: short(thread_id, MOST_NAME) }] : undefined
}

/** Its last words came before, as a message. Cached and reasoning tokens are part of the two sums. */
function readCompleted({ usage }: Fields): AgentSays[] {
  const { input_tokens, output_tokens } = asFields(usage)
  const finished: AgentSays = { kind: 'finished', ok: true, text: '' }
  if (!isCount(input_tokens) || !isCount(output_tokens)) return [finished]
  const tokens = { tokensIn: input_tokens, tokensOut: output_tokens, costUsd: 0 }
  return [{ kind: 'usage', ...tokens, cumulative: true }, finished]
}

function readFailed({ error }: Fields): AgentSays[] | undefined {
  const { message } = asFields(error)
  if (!isText(message)) return undefined
  const text = short(message, MOST_DETAIL)
  const failure = codexFailure(text)
  const finished: AgentSays = { kind: 'finished', ok: false, text, failure }
  return failure === 'limit'
    ? [{ kind: 'limited', message: text, untilMs: resetTime(text) }, finished]
    : [finished]
}

const RESET = /try again at ([a-z]{3} \d{1,2})[a-z]{2}, (\d{4} \d{1,2}:\d{2} [ap]m)/i

/** In local time, which we share, and to the minute. Today's comes without a date, so it is not absolute. */
function resetTime(message: string): number | null {
  const [, day, time] = RESET.exec(message) ?? []
  const minute = Date.parse(`${day}, ${time}`)
  return Number.isNaN(minute) ? null : minute + 60_000
}

const words = new Map<unknown, Reader>([
  [
    'agent_message',
    ({ text }) => (isText(text) ? [{ kind: 'said', text: short(text, MOST_TEXT) }] : undefined),
  ],
  ['reasoning', note('text')],
  // Warnings, in spite of the name.
  ['error', note('message')],
  ['todo_list', ({ items }) => [{ kind: 'note', text: short(todoList(items), MOST_DETAIL) }]],
])

type Tool = {
  readonly name: (item: Fields) => unknown
  readonly asked: (item: Fields) => unknown
  readonly outcome: (item: Fields) => unknown
}

const tools = new Map<unknown, Tool>([
  ['command_execution', { name: () => 'shell', asked: ({ command }) => command, outcome: commandOutcome }],
  ['file_change', { name: () => 'edit', asked: changedFiles, outcome: changedFiles }],
  ['mcp_tool_call', { name: mcpName, asked: (item) => item.arguments, outcome: mcpOutcome }],
  [
    'collab_tool_call',
    { name: ({ tool }) => tool, asked: ({ prompt }) => prompt ?? '', outcome: (item) => item.agents_states },
  ],
  ['web_search', { name: () => 'web_search', asked: ({ query }) => query, outcome: ({ query }) => query }],
])

function readItem(item: Fields, ended: boolean): AgentSays[] | undefined {
  const tool = tools.get(item.type)
  if (!tool) return (words.has(item.type) && !ended ? nothing : words.get(item.type))?.(item)
  const name = tool.name(item)
  if (!isText(name)) return undefined
  const says = { tool: short(name, MOST_NAME), detail: asDetail((ended ? tool.outcome : tool.asked)(item)) }
  if (!ended) return [{ kind: 'tool_began', ...says }]
  return [{ kind: 'tool_ended', ...says, ok: item.status === undefined || item.status === 'completed' }]
}

function commandOutcome({ status, exit_code, aggregated_output }: Fields): string {
  const code = isCount(exit_code) && exit_code > 0 ? `exit code ${exit_code}` : ''
  const declined = status === 'declined' ? 'declined' : ''
  const output = isText(aggregated_output) ? aggregated_output.trimEnd() : ''
  return [declined, code, output].filter((part) => part !== '').join('\n')
}

function mcpName({ server, tool }: Fields): string | undefined {
  return isText(server) && isText(tool) ? `${server}.${tool}` : undefined
}

function mcpOutcome({ error, result }: Fields): unknown {
  const { message } = asFields(error)
  if (isText(message)) return message
  const texts = listIn(asFields(result).content).map(({ text }) => text)
  return texts.length > 0 && texts.every(isText) ? texts.join('\n') : result
}

function changedFiles({ changes }: Fields): string {
  return listIn(changes)
    .map(({ kind, path }) => `${asDetail(kind)} ${asDetail(path)}`)
    .join('\n')
}

function todoList(items: unknown): string {
  return listIn(items)
    .map(({ completed, text }) => `${completed === true ? '[x]' : '[ ]'} ${asDetail(text)}`)
    .join('\n')
}

const listIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(asFields) : [])
