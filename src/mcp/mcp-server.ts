// Owns the tools as an MCP server: one instance for each connection or request.
import { type CallToolResult, Server } from '@modelcontextprotocol/server'
import { errorCatalogue } from '../domain/errors/catalogue.ts'
import { asHoldfastError } from '../domain/errors.ts'
import { VERSION } from '../domain/names/version.ts'
import { redactSecrets } from '../domain/text/redact-secrets.ts'
import { callTool, inputSchema, outputSchema, tools } from './call-tool.ts'
import type { ToolWorld } from './tool.ts'

const SERVER_NAME = 'holdfast'

const INSTRUCTIONS =
  'Holdfast runs coding agents and keeps them working until the job is done. Start work for another agent with create_task, wait for it with one wait (again with its cursor while `over` is false; never poll get_task), then read the result with get_task. Inside a session of Holdfast, hand in your result with submit_result.'

export function mcpServer(world: ToolWorld): Server {
  const server = new Server(
    { name: SERVER_NAME, version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler('tools/list', async () => ({ tools: tools.map(toolRow) }))
  server.setRequestHandler('tools/call', ({ params }) => answerTo(params.name, params.arguments, world))
  return server
}

const toolRow = (tool: (typeof tools)[number]) => ({
  name: tool.name,
  description: tool.description,
  inputSchema: inputSchema(tool) as never,
  outputSchema: outputSchema(tool) as never,
  annotations: { ...tool.hints },
})

async function answerTo(name: string, given: unknown, world: ToolWorld): Promise<CallToolResult> {
  try {
    const result = await callTool(name, given, world)
    return {
      content: [{ type: 'text', text: JSON.stringify(result) }],
      structuredContent: result as Record<string, unknown>,
    }
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: errorText(error) }] }
  }
}

/** What a model reads: the code, what happened, and what to do. */
export function errorText(error: unknown): string {
  const { code, message } = asHoldfastError(error)
  return `${code}: ${redactSecrets(message)}\n${errorCatalogue[code].hint}`
}
