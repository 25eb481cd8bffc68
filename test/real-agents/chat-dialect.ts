// The OpenAI chat completions API: OpenCode and Pi.
import { type Answer, type Dialect, type Fields, listOf, type Turn, textOf, USAGE } from './conversation.ts'
import { openAiBadKey, openAiLimit, openAiRefuse } from './openai-refusals.ts'

export const chatDialect: Dialect = {
  read: (body) => {
    const messages = listOf(body.messages)
    const system = messages.filter(({ role }) => role === 'system' || role === 'developer')
    return {
      model: String(body.model),
      system: system.map(({ content }) => textOf(content)).join('\n'),
      tools: listOf(body.tools).map((tool) => ({
        name: String((tool.function as Fields | undefined)?.name),
      })),
      turns: messages.flatMap(turnsOf),
      stream: body.stream === true,
    }
  },
  frames,
  whole: (answer, model, id) => ({
    ...head('chat.completion', model, id),
    choices: [{ index: 0, message: messageOf(answer, id), finish_reason: finishReason(answer) }],
    usage,
  }),
  refuse: openAiRefuse,
  limit: openAiLimit,
  badKey: openAiBadKey,
}

const usage = {
  prompt_tokens: USAGE.input,
  completion_tokens: USAGE.output,
  total_tokens: USAGE.input + USAGE.output,
}

function turnsOf({ role, content, tool_calls }: Fields): Turn[] {
  const text = textOf(content)
  if (role === 'tool') return [{ role: 'tool', text }]
  if (role === 'user') return [{ role: 'user', text }]
  if (role !== 'assistant') return []
  const calls = listOf(tool_calls).map((call) => call.function as Fields)
  return [
    ...(text === '' ? [] : [{ role: 'assistant', text } as const]),
    ...calls.map((call) => ({ role: 'call', text: `${call.name} ${call.arguments}` }) as const),
  ]
}

function messageOf(answer: Answer, id: string) {
  if (answer.kind === 'text') return { role: 'assistant', content: answer.text }
  const call = { name: answer.tool.name, arguments: JSON.stringify(answer.input) }
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ index: 0, id: `call_${id}`, type: 'function', function: call }],
  }
}

const finishReason = ({ kind }: Answer) => (kind === 'text' ? 'stop' : 'tool_calls')

const head = (object: string, model: string, id: string) => ({
  id: `chatcmpl-${id}`,
  object,
  created: 0,
  model,
})

function frames(answer: Answer, model: string, id: string): string[] {
  const chunk = (delta: object, finish: string | null) => ({
    ...head('chat.completion.chunk', model, id),
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  return [
    frame(chunk({ role: 'assistant', content: '' }, null)),
    frame(chunk(messageOf(answer, id), null)),
    frame(chunk({}, finishReason(answer))),
    frame({ ...head('chat.completion.chunk', model, id), choices: [], usage }),
    'data: [DONE]\n\n',
  ]
}

const frame = (data: object) => `data: ${JSON.stringify(data)}\n\n`
