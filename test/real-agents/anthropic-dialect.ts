// The Anthropic Messages API: Claude Code.
import {
  type Answer,
  type Dialect,
  type Fields,
  listOf,
  refusal,
  type Turn,
  textOf,
  USAGE,
} from './conversation.ts'

export const anthropicDialect: Dialect = {
  read: (body) => {
    const messages = listOf(body.messages)
    const surroundings = messages.filter(({ role }) => role === 'system')
    return {
      model: String(body.model),
      system: [body.system, ...surroundings.map(({ content }) => content)].map(textOf).join('\n'),
      tools: listOf(body.tools).map(({ name }) => ({ name: String(name) })),
      turns: messages.flatMap(turnsOf),
      stream: body.stream === true,
    }
  },
  frames,
  whole: (answer, model, id) => ({
    ...message(model, id),
    content: [blockOf(answer, id)],
    stop_reason: stopReason(answer),
    usage: { input_tokens: USAGE.input, output_tokens: USAGE.output },
  }),
  refuse: (status, text) => refusal(status, error(ERROR_TYPES[status] ?? 'api_error', text)),
  limit: (resetsAt) =>
    refusal(
      429,
      error(
        'rate_limit_error',
        "This request would exceed your account's rate limit. Please try again later.",
      ),
      {
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': String(resetsAt),
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
        'x-should-retry': 'false',
      },
    ),
  badKey: refusal(401, error('authentication_error', 'invalid x-api-key')),
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

function error(type: string, text: string) {
  return { type: 'error', error: { type, message: text } }
}

function turnsOf({ role, content }: Fields): Turn[] {
  if (role !== 'user' && role !== 'assistant') return []
  if (typeof content === 'string') return [{ role, text: content }]
  return listOf(content).map((block) => {
    if (block.type === 'tool_use')
      return { role: 'call', text: `${block.name} ${JSON.stringify(block.input)}` }
    if (block.type === 'tool_result') return { role: 'tool', text: textOf(block.content) }
    return { role, text: String(block.text ?? '') }
  })
}

const message = (model: string, id: string) => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model,
  content: [] as unknown[],
  stop_reason: null as string | null,
  stop_sequence: null,
  usage: { input_tokens: USAGE.input, output_tokens: 0 },
})

const stopReason = ({ kind }: Answer) => (kind === 'text' ? 'end_turn' : 'tool_use')

const blockOf = (answer: Answer, id: string) =>
  answer.kind === 'text'
    ? { type: 'text', text: answer.text }
    : { type: 'tool_use', id: `toolu_${id}`, name: answer.tool.name, input: answer.input }

function frames(answer: Answer, model: string, id: string): string[] {
  const empty = answer.kind === 'text' ? { type: 'text', text: '' } : { ...blockOf(answer, id), input: {} }
  const delta =
    answer.kind === 'text'
      ? { type: 'text_delta', text: answer.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(answer.input) }
  const end = { stop_reason: stopReason(answer), stop_sequence: null }
  return [
    frame('message_start', { message: message(model, id) }),
    frame('content_block_start', { index: 0, content_block: empty }),
    frame('content_block_delta', { index: 0, delta }),
    frame('content_block_stop', { index: 0 }),
    frame('message_delta', { delta: end, usage: { output_tokens: USAGE.output } }),
    frame('message_stop', {}),
  ]
}

const frame = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
