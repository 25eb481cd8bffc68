// An MCP server over stdio with one tool, `lab_ping`.
import { createInterface } from 'node:readline'

const tool = {
  name: 'lab_ping',
  description: 'Answers with a pong.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'lab', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: input }) => ({
    content: [{ type: 'text', text: `pong from the lab: ${input?.text ?? ''}` }],
  }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  const outcome = answer ? { result: answer(params ?? {}) } : { error: { code: -32601, message: 'unknown' } }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
})
