// The OpenAI Responses API: Codex.
import {
  type Answer,
  type Dialect,
  type Fields,
  listOf,
  type Tool,
  type Turn,
  textOf,
  USAGE,
} from './conversation.ts'
import { openAiBadKey, openAiLimit, openAiRefuse } from './openai-refusals.ts'

export const responsesDialect: Dialect = {
  read: (body) => {
    const items = listOf(body.input)
    const developer = items.filter(({ role }) => role === 'developer' || role === 'system')
    return {
      model: String(body.model),
      system: [String(body.instructions ?? ''), ...developer.map(({ content }) => textOf(content))].join(
        '\n',
      ),
      tools: listOf(body.tools).flatMap(toolsOf),
      turns: typeof body.input === 'string' ? [{ role: 'user', text: body.input }] : items.flatMap(turnsOf),
      stream: body.stream === true,
    }
  },
  frames,
  whole: (answer, model, id) => completed(answer, model, id),
  refuse: openAiRefuse,
  limit: openAiLimit,
  badKey: openAiBadKey,
}

function toolsOf({ type, name, tools }: Fields): Tool[] {
  if (type === 'namespace')
    return listOf(tools).map((tool) => ({ name: String(tool.name), namespace: String(name) }))
  return name === undefined ? [] : [{ name: String(name), freeform: type === 'custom' }]
}

function turnsOf(item: Fields): Turn[] {
  const { type, role, content, output } = item
  if (type === 'function_call') return [{ role: 'call', text: `${item.name} ${item.arguments}` }]
  if (type === 'custom_tool_call') return [{ role: 'call', text: `${item.name} ${item.input}` }]
  if (output !== undefined) return [{ role: 'tool', text: textOf(output) }]
  if (role !== 'user' && role !== 'assistant') return []
  return listOf(content).map((part) => ({ role, text: String(part.text ?? '') }))
}

function itemOf(answer: Answer, id: string) {
  if (answer.kind === 'text') {
    const content = [{ type: 'output_text', text: answer.text, annotations: [] }]
    return { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content }
  }
  const { name, namespace, freeform } = answer.tool
  const call = { id: `fc_${id}`, call_id: `call_${id}`, name, namespace, status: 'completed' }
  if (freeform) return { ...call, type: 'custom_tool_call', input: String(answer.input) }
  return { ...call, type: 'function_call', arguments: JSON.stringify(answer.input) }
}

const completed = (answer: Answer, model: string, id: string) => ({
  id: `resp_${id}`,
  object: 'response',
  status: 'completed',
  model,
  output: [itemOf(answer, id)],
  usage: {
    input_tokens: USAGE.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: USAGE.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: USAGE.input + USAGE.output,
  },
})

function frames(answer: Answer, model: string, id: string): string[] {
  const item = itemOf(answer, id)
  const begun = answer.kind === 'text' ? { ...item, status: 'in_progress', content: [] } : item
  const words = { item_id: item.id, output_index: 0, content_index: 0 }
  return [
    frame('response.created', {
      response: { id: `resp_${id}`, object: 'response', status: 'in_progress', model },
    }),
    frame('response.output_item.added', { output_index: 0, item: begun }),
    ...(answer.kind === 'text'
      ? [frame('response.output_text.delta', { ...words, delta: answer.text })]
      : []),
    frame('response.output_item.done', { output_index: 0, item }),
    frame('response.completed', { response: completed(answer, model, id) }),
  ]
}

const frame = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
