// Owns the list of all tools. MCP over stdio and HTTP, and `bridge`, offer what stands here.
import type { Tool } from './tool.ts'
import { ownSessionTools } from './tools/own-session.ts'
import { talkingTools } from './tools/talking.ts'
import { taskTools } from './tools/tasks.ts'
import { threadTools } from './tools/threads.ts'
import { waitingTools } from './tools/waiting.ts'

export const tools: readonly Tool[] = [
  ...taskTools,
  ...waitingTools,
  ...talkingTools,
  ...threadTools,
  ...ownSessionTools,
]
