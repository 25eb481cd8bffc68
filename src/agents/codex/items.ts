// Owns what the items of both event streams of Codex mean: commands, edits, calls and messages.
import type { AgentSays } from '../../ports/run/agent-driver.ts'
import {
  asDetail,
  asFields,
  type Fields,
  fileOf,
  isCount,
  isText,
  MOST_DETAIL,
  MOST_NAME,
  MOST_TEXT,
  short,
} from '../shared/json-line.ts'

/** Undefined means that the fields are not what they should be. */
export type Reader = (fields: Fields) => AgentSays[] | undefined

export const note: (field: string) => Reader = (field) => (fields) => {
  const text = fields[field]
  return isText(text) ? [{ kind: 'note', text: short(text, MOST_DETAIL) }] : undefined
}

export const nothing: Reader = () => []

const words = new Map<unknown, Reader>([
  [
    'agent_message',
    ({ text }) => (isText(text) ? [{ kind: 'said', text: short(text, MOST_TEXT) }] : undefined),
  ],
  ['reasoning', note('text')],
  ['plan', note('text')],
  // These are warnings, in spite of the name.
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
  ['mcp_tool_call', { name: mcpName, asked: (item) => item.arguments, outcome: mcpOutcome }],
  [
    'collab_tool_call',
    { name: ({ tool }) => tool, asked: ({ prompt }) => prompt ?? '', outcome: (item) => item.agents_states },
  ],
  ['web_search', { name: () => 'web_search', asked: ({ query }) => query, outcome: ({ query }) => query }],
])

export function readCodexItem(item: Fields, ended: boolean): AgentSays[] | undefined {
  if (item.type === 'file_change') return readEdits(item, ended)
  const tool = tools.get(item.type)
  if (!tool) return (words.has(item.type) && !ended ? nothing : words.get(item.type))?.(item)
  const name = tool.name(item)
  if (!isText(name)) return undefined
  const says = { tool: short(name, MOST_NAME), detail: asDetail((ended ? tool.outcome : tool.asked)(item)) }
  return [ended ? { kind: 'tool_ended', ...says, ok: isWell(item) } : { kind: 'tool_began', ...says }]
}

const isWell = ({ status }: Fields) => status === undefined || status === 'completed'

/** One item may change many files: each becomes an edit of its own. */
function readEdits(item: Fields, ended: boolean): AgentSays[] {
  const ok = isWell(item)
  return listIn(item.changes).map(({ kind, path }): AgentSays => {
    const detail = `${asDetail(asFields(kind).type ?? kind)} ${asDetail(path)}`
    const says = { tool: 'edit', detail, ...fileOf(path) }
    return ended ? { kind: 'tool_ended', ...says, ok } : { kind: 'tool_began', ...says }
  })
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

function todoList(items: unknown): string {
  return listIn(items)
    .map(({ completed, text }) => `${completed === true ? '[x]' : '[ ]'} ${asDetail(text)}`)
    .join('\n')
}

export const listIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(asFields) : [])
