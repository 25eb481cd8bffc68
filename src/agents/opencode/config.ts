// Owns OpenCode's settings for one run: persona, MCP servers, and what it may do. The user's own settings stay beneath.
import { HoldfastError } from '../../domain/errors.ts'
import { printable } from '../../domain/names/names.ts'
import type { LaunchRequest, McpServer } from '../../ports/agent-driver.ts'

export const PERSONA_FILE = 'persona.md'

/**
 * An agent of this run alone. Rules for all agents would give way to those written for one of them, and settings are
 * merged: a project that knew the name could add rules of its own.
 */
export const restrictedAgent = ({ sessionId }: LaunchRequest) => `holdfast-${sessionId}`

/** Somebody can answer. */
export const takesPrompts = ({ mode, converse }: LaunchRequest) => mode === 'interactive' || converse

/** Undefined when the user's own settings are all it needs. */
export function opencodeConfig(request: LaunchRequest): string | undefined {
  const { mode, model, persona, mcp, extraDirs, permission, filesDir } = request
  const isRestricted = permission === 'read' || permission === 'edit'
  const isTui = mode === 'interactive'
  const config = {
    ...(persona !== null && { instructions: [`${filesDir}/${PERSONA_FILE}`] }),
    ...(mcp.length > 0 && { mcp: Object.fromEntries(mcp.map(serverEntry)) }),
    ...(extraDirs.length > 0 && { permission: { external_directory: allowInside(extraDirs) } }),
    ...(isRestricted && {
      agent: { [restrictedAgent(request)]: { mode: 'primary', permission: rulesFor(request) } },
    }),
    // A screen that joins a server has no flags for these; a person's own prompts get them too.
    ...(isTui && isRestricted && { default_agent: restrictedAgent(request) }),
    ...(isTui && model !== null && { model }),
  }
  // OpenCode would put a variable or a file in the place of these.
  const text = JSON.stringify(config).replace(/\{(?=(?:env|file):)/g, '\\u007b')
  return text === '{}' ? undefined : text
}

const serverEntry = ({ name, command, args }: McpServer) => [
  name,
  { type: 'local', command: [command, ...args], enabled: true },
]

/**
 * The last rule that fits counts. `deny` lets the model go on without; `ask` would end a run where nobody answers.
 * No shell and no subagents, not even for `edit`: OpenCode has no sandbox to hold a command in its directories.
 * These are `dir` and the git worktree around it. Where somebody answers, `edit` asks for each command.
 */
function rulesFor(request: LaunchRequest) {
  const { permission, extraDirs, mcp } = request
  const reading = ['grep', 'glob', 'list', 'lsp', 'webfetch', 'websearch', 'todowrite', 'skill']
  const mayAsk = permission === 'edit' && takesPrompts(request)
  const tools = [...reading, ...(permission === 'edit' ? ['edit'] : []), ...mcp.map(toolsOf)]
  return {
    '*': 'deny',
    ...Object.fromEntries(tools.map((tool) => [tool, 'allow'])),
    ...(mayAsk && { question: 'allow', bash: 'ask' }),
    read: { '*': 'allow', '*.env': 'deny', '*.env.*': 'deny', '*.env.example': 'allow' },
    external_directory: { '*': 'deny', ...allowInside(extraDirs) },
  }
}

/** Its tools bear the server's name in front, with everything strange replaced. */
const toolsOf = ({ name }: McpServer) => `${name.replace(/[^A-Za-z0-9_-]/g, '_')}_*`

function allowInside(dirs: readonly string[]) {
  return Object.fromEntries(dirs.map((dir) => [`${checkDir(dir).replace(/\/+$/, '')}/*`, 'allow']))
}

/** Rules are patterns, and there is no way to quote in them. */
function checkDir(dir: string): string {
  if (/[*?]/.test(dir))
    throw new HoldfastError(
      'AGENT_CANNOT',
      `OpenCode takes no directory with * or ? in its name: ${printable(dir)}`,
    )
  return dir
}
