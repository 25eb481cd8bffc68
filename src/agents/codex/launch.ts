// Owns how Codex starts: once per turn, as an app server to converse with, or with its interface. Never with its background daemon.
import { HoldfastError } from '../../domain/errors.ts'
import { printable } from '../../domain/names/names.ts'
import type { Permission } from '../../domain/run/permission.ts'
import type { LaunchPlan, LaunchRequest, McpServer } from '../../ports/run/agent-driver.ts'
import { openingLines } from './lines.ts'
import { terminalArgs } from './terminal.ts'
import { inlineTable, list, quoted, setting } from './toml.ts'

export const CODEX_SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The longest argument that Linux takes (MAX_ARG_STRLEN), with the NUL at its end. */
const MOST_ARGUMENT_BYTES = 128 * 1024

export function launchCodex(request: LaunchRequest): LaunchPlan {
  const { resume } = request
  if (resume !== null) checkSessionId(resume)
  const plan = request.mode === 'interactive' ? inTerminal : request.converse ? conversing : once
  return { env: {}, files: [], sessionId: resume, ...plan(request) }
}

type Way = (request: LaunchRequest) => Pick<LaunchPlan, 'argv' | 'stdin'>

const once: Way = (request) => ({
  argv: [
    ...['codex', 'exec', '--json', '--skip-git-repo-check', '-C', request.dir],
    ...commonArgs(request, permissionArgs[request.permission]),
    // Options come before `resume`, which takes fewer options itself; they apply to it all the same.
    ...resumeArgs(request),
    '-',
  ],
  stdin: request.prompt,
})

/** Model, directory and permissions follow in the opening lines. */
const conversing: Way = (request) => ({
  argv: ['codex', ...mcpArgs(request), 'app-server'],
  stdin: openingLines(request),
})

const inTerminal: Way = (request) => ({
  argv: [
    ...['codex', '--no-daemon', '-C', request.dir],
    ...commonArgs(request, askingArgs[request.permission]),
    ...terminalArgs(request),
    ...resumeArgs(request),
  ],
  stdin: '',
})

const commonArgs = (request: LaunchRequest, permission: readonly string[]) => [
  ...(request.model === null ? [] : [`--model=${request.model}`]),
  ...permission,
  ...request.extraDirs.flatMap((extra) => ['--add-dir', extra]),
  ...(request.persona === null ? [] : personaArgs(request.persona)),
  ...mcpArgs(request),
]

const resumeArgs = ({ resume }: LaunchRequest) => (resume === null ? [] : ['resume', resume])

/** Without this, a reviewing model from the user's config could let a command out of the sandbox. */
const neverAsk = setting('approval_policy', '"never"')

const permissionArgs: Readonly<Record<Permission, readonly string[]>> = {
  // What config.toml says. If it says nothing, Codex may only read in a directory that nobody trusted.
  default: [],
  // Commands may run, but cannot change the file system.
  read: ['--sandbox', 'read-only', ...neverAsk],
  // May write to its directory, the extra ones and temporary ones; network as config.toml says.
  edit: ['--sandbox', 'workspace-write', ...neverAsk],
  // No sandbox and no questions: everything that the user may do.
  full: ['--dangerously-bypass-approvals-and-sandbox'],
}

/** For runs in which somebody can answer: Codex asks before a command leaves the sandbox. */
const askingArgs: typeof permissionArgs = {
  ...permissionArgs,
  edit: [
    ...['--sandbox', 'workspace-write'],
    ...setting('approval_policy', '"on-request"'),
    ...setting('approvals_reviewer', '"user"'),
  ],
}

/** Codex takes anything else for the name of a session, and starts a new session when there is none with it. */
function checkSessionId(id: string): void {
  if (CODEX_SESSION_ID.test(id)) return
  throw new HoldfastError('INVALID_ID', `'${printable(id)}' is not a session id of Codex.`)
}

function personaArgs(persona: string): string[] {
  const args = setting('developer_instructions', quoted(persona))
  if (args.every((arg) => Buffer.byteLength(arg) < MOST_ARGUMENT_BYTES)) return args
  throw new HoldfastError('AGENT_CANNOT', 'Codex takes a persona of at most 128 KiB.')
}

const mcpArgs = ({ mcp }: LaunchRequest) =>
  mcp.length === 0 ? [] : setting('mcp_servers', inlineTable(mcp.map(mcpEntry)))

/** Our MCP servers are approved, and get the variables that Codex would hide from them. */
const mcpEntry = ({ name, command, args }: McpServer): [string, string] => [
  name,
  inlineTable([
    ['command', quoted(command)],
    ['args', list(args)],
    [
      'env_vars',
      list([
        'HOLDFAST_HOME',
        'HOLDFAST_TASK_ID',
        'HOLDFAST_SESSION_DIR',
        'HOLDFAST_RUN',
        'HOLDFAST_TOKEN_FILE',
      ]),
    ],
    ['default_tools_approval_mode', '"approve"'],
    ['startup_timeout_sec', '30'],
    // Longer than any of our tools takes.
    ['tool_timeout_sec', '120'],
  ]),
]
