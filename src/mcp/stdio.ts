// Owns MCP over stdio: stdout carries the protocol and nothing else.
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { mcpServer } from './mcp-server.ts'
import type { ToolWorld } from './tool.ts'

/** `onClient`: a client speaks to us. Resolves when it is gone. */
export function serveTools(
  world: ToolWorld,
  onClient: () => void,
  say: (line: string) => void,
): Promise<void> {
  return new Promise((resolve) => {
    serveStdio(
      () => {
        onClient()
        return mcpServer(world)
      },
      { onerror: (error) => say(`MCP: ${error.message}`) },
    )
    process.stdin.once('end', resolve).once('close', resolve)
  })
}
