// How Claude Code starts: print mode, one process per turn, events as JSON lines.
import { HoldfastError } from '../domain/errors.ts'
import { checkName, printable } from '../domain/names.ts'
import type { Permission } from '../domain/permission.ts'
import type { AgentDriver, LaunchPlan, LaunchRequest, McpServer } from '../ports/agent-driver.ts'
import { readClaudeEvent } from './claude-events.ts'
import { claudeStderrFailure } from './claude-failure.ts'
import { readClaudeScreen } from './claude-screen.ts'

const SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const PERSONA_FILE = 'persona.md'
const MCP_FILE = 'mcp.json'

export const claudeDriver: AgentDriver = {
  kind: 'claude',
  program: {
    name: 'claude',
    versionArgs: ['--version'],
    tested: ['2.1.325', '2.1.325'],
    install: 'npm install -g @anthropic-ai/claude-code',
  },
  can: {
    modes: ['headless'],
    converse: false,
    model: true,
    personaFlag: true,
    permissions: ['default', 'read', 'edit', 'full'],
    extraDirs: true,
    mcp: true,
    sessionId: 'chosen',
    resume: true,
  },
  sessionIdPattern: SESSION_ID,
  // Not CLAUDE_*: many of them (CLAUDE_CODE_SESSION_ID, _MESSAGING_SOCKET…) tie one Claude Code to the one that called it.
  ownEnv: [
    ...['ANTHROPIC_*', 'CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_API_KEY_HELPER_TTL_MS'],
    ...['CLAUDE_CODE_USE_*', 'CLAUDE_CODE_SKIP_*', 'CLAUDE_CODE_CLIENT_*', 'CLAUDE_CODE_SUBAGENT_MODEL'],
    ...['CLAUDE_CODE_MAX_*', 'CLAUDE_CODE_DISABLE_*', 'CLAUDE_CODE_ENABLE_*', 'CLAUDE_CODE_EFFORT_LEVEL'],
    ...['CLAUDE_CODE_SHELL', 'CLAUDE_CODE_TMPDIR', 'ENABLE_TOOL_SEARCH', 'MAX_THINKING_TOKENS'],
    ...['DISABLE_AUTOUPDATER', 'DISABLE_TELEMETRY', 'DISABLE_ERROR_REPORTING', 'DISABLE_PROMPT_CACHING'],
    ...['MCP_TIMEOUT', 'MCP_TOOL_TIMEOUT', 'MAX_MCP_OUTPUT_TOKENS', 'USE_BUILTIN_RIPGREP'],
    ...['BASH_DEFAULT_TIMEOUT_MS', 'BASH_MAX_TIMEOUT_MS', 'BASH_MAX_OUTPUT_LENGTH', 'IS_SANDBOX'],
    ...['AWS_PROFILE', 'AWS_REGION', 'AWS_BEARER_TOKEN_BEDROCK', 'CLOUD_ML_REGION', 'VERTEX_REGION_*'],
    'GOOGLE_APPLICATION_CREDENTIALS',
  ],
  launch,
  readEvent: readClaudeEvent,
  readStderr: claudeStderrFailure,
  readScreen: readClaudeScreen,
}

/** Values stand behind `=`: several flags take every argument that follows. */
function launch(request: LaunchRequest): LaunchPlan {
  const { extraDirs, filesDir, mcp, model, permission, persona, prompt } = request
  const sessionId = checkSessionId(request.resume ?? request.sessionId)
  return {
    argv: [
      ...['claude', '-p', '--output-format=stream-json', '--verbose'],
      `--${request.resume === null ? 'session-id' : 'resume'}=${sessionId}`,
      ...(model === null ? [] : [`--model=${model}`]),
      ...permissionArgs[permission],
      ...extraDirs.map((dir) => `--add-dir=${dir}`),
      // Also for a resumed session: Claude Code reads it again when it compacts the conversation.
      ...(persona === null ? [] : [`--append-system-prompt-file=${filesDir}/${PERSONA_FILE}`]),
      // The run has the servers it was given, and those of the user's settings only when it was given none.
      ...(mcp.length > 0 || permission === 'read' ? ['--strict-mcp-config'] : []),
      ...(mcp.length > 0 ? [`--mcp-config=${filesDir}/${MCP_FILE}`, ...mcp.map(allowArg)] : []),
    ],
    env: {},
    stdin: prompt,
    files: [
      ...(persona === null ? [] : [{ name: PERSONA_FILE, content: persona }]),
      ...(mcp.length === 0 ? [] : [{ name: MCP_FILE, content: mcpConfig(mcp) }]),
    ],
    sessionId,
  }
}

const permissionArgs: Readonly<Record<Permission, readonly string[]>> = {
  // What the user's settings say; where they would ask, print mode refuses.
  default: [],
  // Only tools that cannot change anything. Not plan mode: there, commands that the settings allow still run.
  read: ['--tools=Read,Glob,Grep,WebFetch,WebSearch', '--permission-mode=dontAsk'],
  // Files of its directories; commands only where the settings allow them.
  edit: ['--permission-mode=acceptEdits'],
  // No questions: all that the user may do. Rules that deny and hooks still count. Root is refused, unless IS_SANDBOX=1.
  full: ['--permission-mode=bypassPermissions'],
}

/** Claude Code resumes by name too: only ids may pass. */
function checkSessionId(id: string): string {
  if (SESSION_ID.test(id)) return id
  throw new HoldfastError('INVALID_ID', `'${printable(id)}' is not a session id of Claude Code.`)
}

/** Nobody can be asked. A comma or a space in the name would allow more than this server. */
const allowArg = ({ name }: McpServer) =>
  `--allowedTools=mcp__${checkName('The MCP server', name).replaceAll('.', '_')}`

const mcpConfig = (servers: readonly McpServer[]) =>
  JSON.stringify({
    mcpServers: Object.fromEntries(servers.map(({ name, command, args }) => [name, { command, args }])),
  })
