// Owns OpenCode's settings for one run: persona, MCP servers, and what it may do. The user's own settings apply beneath them.
import { HoldfastError } from '../../domain/errors.ts'
import { printable } from '../../domain/names/names.ts'
import type { LaunchRequest, McpServer } from '../../ports/run/agent-driver.ts'
import { joinedWithOwn, literally } from './own-content.ts'

export const PERSONA_FILE = 'persona.md'

/**
 * The name of an OpenCode agent for this run only. Rules for all agents would give way to rules for a single one, and
 * settings are merged: a project that knew the name could add rules.
 */
export const restrictedAgent = ({ sessionId }: LaunchRequest) => `holdfast-${sessionId}`

/** Whether somebody can answer the agent. */
export const takesPrompts = ({ mode, converse }: LaunchRequest) => mode === 'interactive' || converse

/**
 * Undefined when the user's own settings are enough; or when there is nothing to add but tools, and the user has settings in
 * the same variable that cannot be joined with them.
 */
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
    // A screen that joins a server has no flags for these. A person's own prompts use them, too.
    ...(isTui && isRestricted && { default_agent: restrictedAgent(request) }),
    ...(isTui && model !== null && { model }),
  }
  const { mcp: _, ...withoutTools } = config
  if (Object.keys(config).length === 0) return undefined
  const own = request.env.OPENCODE_CONFIG_CONTENT
  return (
    joinedWithOwn(own, config) ?? (Object.keys(withoutTools).length === 0 ? undefined : literally(config))
  )
}

const serverEntry = ({ name, command, args }: McpServer) => [
  name,
  // Longer than any of our tools takes.
  { type: 'local', command: [command, ...args], enabled: true, timeout: 120_000 },
]

/**
 * The last rule that matches counts. With `deny` the model goes on without the tool; `ask` would end a run in which nobody
 * answers. No shell and no subagents, not even for `edit`: OpenCode has no sandbox that keeps a command in its directories,
 * which are `dir` and the git worktree around it. Where somebody can answer, `edit` asks for each command.
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

/** The tools of a server begin with its name, in which unusual characters are replaced. */
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
