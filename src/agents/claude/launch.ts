// Owns how Claude Code starts: in three ways, with the same flags for permissions and persona.
import { HoldfastError } from '../../domain/errors.ts'
import { checkName, printable } from '../../domain/names/names.ts'
import type { Permission } from '../../domain/run/permission.ts'
import type { LaunchPlan, LaunchRequest, McpServer } from '../../ports/run/agent-driver.ts'
import { terminalPart } from './terminal.ts'

export const CLAUDE_SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const PERSONA_FILE = 'persona.md'
const MCP_FILE = 'mcp.json'

export function launchClaude(request: LaunchRequest): LaunchPlan {
  const { mcp, persona } = request
  const sessionId = checkSessionId(request.resume ?? request.sessionId)
  const way = wayOf(request)
  return {
    argv: [
      'claude',
      ...way.argv,
      `--${request.resume === null ? 'session-id' : 'resume'}=${sessionId}`,
      ...commonArgs(request),
    ],
    env: way.env,
    stdin: way.stdin,
    files: [
      ...(persona === null ? [] : [{ name: PERSONA_FILE, content: persona }]),
      ...(mcp.length === 0 ? [] : [{ name: MCP_FILE, content: mcpConfig(mcp) }]),
      ...way.files,
    ],
    sessionId,
  }
}

type Way = Omit<LaunchPlan, 'sessionId'>

function wayOf(request: LaunchRequest): Way {
  if (request.mode === 'interactive') return { ...terminalPart(request), stdin: '' }
  const argv = ['-p', '--output-format=stream-json', '--verbose']
  if (!request.converse) return { argv, env: {}, stdin: request.prompt, files: [] }
  // It writes its questions to stdout, and repeats there the answers that it took.
  const listening = ['--input-format=stream-json', '--permission-prompt-tool=stdio', '--replay-user-messages']
  return { argv: [...argv, ...listening], env: {}, stdin: '', files: [] }
}

/** Values are written with `=`, because several flags take every argument that follows. */
function commonArgs({ extraDirs, filesDir, mcp, model, permission, persona }: LaunchRequest): string[] {
  return [
    ...(model === null ? [] : [`--model=${model}`]),
    ...permissionArgs[permission],
    ...extraDirs.map((dir) => `--add-dir=${dir}`),
    // Also for a resumed session: Claude Code reads it again when it compacts the conversation.
    ...(persona === null ? [] : [`--append-system-prompt-file=${filesDir}/${PERSONA_FILE}`]),
    // Servers of the user's settings stay, beside those that the run is given. Where it may only read, nobody knows what they change.
    ...(permission === 'read' ? ['--strict-mcp-config'] : []),
    ...(mcp.length > 0 ? [`--mcp-config=${filesDir}/${MCP_FILE}`, ...mcp.map(allowArg)] : []),
  ]
}

const permissionArgs: Readonly<Record<Permission, readonly string[]>> = {
  // What the user's settings say. Where they would ask, and nobody can answer, print mode refuses.
  default: [],
  // Only tools that cannot change anything. Not plan mode: there, commands that the settings allow still run.
  read: ['--tools=Read,Glob,Grep,WebFetch,WebSearch', '--permission-mode=dontAsk'],
  // May change files in its directories; commands only where the settings allow them.
  edit: ['--permission-mode=acceptEdits'],
  // No questions: everything that the user may do. Rules that deny, and hooks, still apply. Refused for root, unless IS_SANDBOX=1.
  full: ['--permission-mode=bypassPermissions'],
}

/** Claude Code also resumes sessions by name: only ids are let through. */
function checkSessionId(id: string): string {
  if (CLAUDE_SESSION_ID.test(id)) return id
  throw new HoldfastError('INVALID_ID', `'${printable(id)}' is not a session id of Claude Code.`)
}

/** The servers that Holdfast gives are allowed without asking. A comma or a space in a name would allow more than its server. */
const allowArg = ({ name }: McpServer) =>
  `--allowedTools=mcp__${checkName('The MCP server', name).replaceAll('.', '_')}`

const mcpConfig = (servers: readonly McpServer[]) =>
  JSON.stringify({
    mcpServers: Object.fromEntries(servers.map(({ name, command, args }) => [name, { command, args }])),
  })
