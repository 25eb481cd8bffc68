// Owns MCP over HTTP: one stateless handler, which serves clients of older and newer versions of the protocol.
import { createMcpHandler } from '@modelcontextprotocol/server'
import { mcpServer } from './mcp-server.ts'
import type { ToolWorld } from './tool.ts'

/** `parsed`: the body, where it was read already. */
export type McpOverHttp = (request: Request, parsed: unknown, world: ToolWorld) => Promise<Response>

export const mcpOverHttp =
  (onError: (error: Error) => void): McpOverHttp =>
  (request, parsed, world) =>
    createMcpHandler(() => mcpServer(world), { onerror: onError }).fetch(request, { parsedBody: parsed })
