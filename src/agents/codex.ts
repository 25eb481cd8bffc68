// How OpenAI's Codex CLI starts: once per turn, without its background daemon.
import { HoldfastError } from '../domain/errors.ts'
import { printable } from '../domain/names.ts'
import type { Permission } from '../domain/permission.ts'
import type { AgentDriver, LaunchPlan, LaunchRequest, McpServer } from '../ports/agent-driver.ts'
import { readCodexEvent } from './codex-events.ts'
import { codexStderrFailure } from './codex-failure.ts'
import { readCodexScreen } from './codex-screen.ts'

const SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What Linux takes as one argument (MAX_ARG_STRLEN), with its closing NUL. */
const MOST_ARGUMENT_BYTES = 128 * 1024

export const codexDriver: AgentDriver = {
  kind: 'codex',
  program: {
    name: 'codex',
    versionArgs: ['--version'],
    tested: ['0.166.0', '0.166.0'],
    install: 'npm install -g @openai/codex',
  },
  can: {
    modes: ['headless'],
    converse: false,
    model: true,
    personaFlag: true,
    permissions: ['default', 'read', 'edit', 'full'],
    extraDirs: true,
    mcp: true,
    sessionId: 'told',
    resume: true,
  },
  sessionIdPattern: SESSION_ID,
  // Not CODEX_*: the others (CODEX_THREAD_ID, CODEX_SANDBOX…) tie one Codex to the one that called it.
  ownEnv: [
    ...['CODEX_HOME', 'CODEX_SQLITE_HOME', 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', 'CODEX_CA_CERTIFICATE'],
    ...['CODEX_OSS_*', 'OPENAI_*', 'AZURE_OPENAI_*'],
  ],
  launch,
  readEvent: readCodexEvent,
  readStderr: codexStderrFailure,
  readScreen: readCodexScreen,
}

function launch(request: LaunchRequest): LaunchPlan {
  const { dir, model, persona, prompt, resume } = request
  return {
    argv: [
      ...['codex', 'exec', '--json', '--skip-git-repo-check', '-C', dir],
      ...(model === null ? [] : [`--model=${model}`]),
      ...permissionArgs[request.permission],
      ...request.extraDirs.flatMap((extra) => ['--add-dir', extra]),
      ...(persona === null ? [] : personaArgs(persona)),
      ...(request.mcp.length === 0 ? [] : setting('mcp_servers', inlineTable(request.mcp.map(mcpEntry)))),
      // Options stand before `resume`, which has fewer of its own, and count for it all the same.
      ...(resume === null ? [] : ['resume', checkSessionId(resume)]),
      '-',
    ],
    env: {},
    stdin: prompt,
    files: [],
    sessionId: resume,
  }
}

const setting = (key: string, toml: string) => ['-c', `${key}=${toml}`]

/** Else a reviewing model that the user's config may name could let a command out of the sandbox. */
const neverAsk = setting('approval_policy', '"never"')

const permissionArgs: Readonly<Record<Permission, readonly string[]>> = {
  // What config.toml says; without a word there, Codex only reads where nobody trusted the directory.
  default: [],
  // Commands run, but on a file system that they cannot change.
  read: ['--sandbox', 'read-only', ...neverAsk],
  // Writes to its directory, the extra ones and the temporary ones; network as config.toml says.
  edit: ['--sandbox', 'workspace-write', ...neverAsk],
  // No sandbox and no questions: all that the user may do.
  full: ['--dangerously-bypass-approvals-and-sandbox'],
}

/** Codex takes anything else for a name, and begins a new session when there is none of that name. */
function checkSessionId(id: string): string {
  if (SESSION_ID.test(id)) return id
  throw new HoldfastError('INVALID_ID', `'${printable(id)}' is not a session id of Codex.`)
}

function personaArgs(persona: string): string[] {
  const args = setting('developer_instructions', quoted(persona))
  if (args.every((arg) => Buffer.byteLength(arg) < MOST_ARGUMENT_BYTES)) return args
  throw new HoldfastError('AGENT_CANNOT', 'Codex takes a persona of at most 128 KiB.')
}

/** Approved, because nobody can be asked; and with the variables that Codex would hide from it. */
const mcpEntry = ({ name, command, args }: McpServer): [string, string] => [
  name,
  inlineTable([
    ['command', quoted(command)],
    ['args', list(args)],
    ['env_vars', list(['HOLDFAST_HOME', 'HOLDFAST_TASK_ID', 'HOLDFAST_SESSION_DIR', 'HOLDFAST_RUN'])],
    ['default_tools_approval_mode', '"approve"'],
  ]),
]

const inlineTable = (entries: readonly (readonly [string, string])[]) =>
  `{${entries.map(([key, toml]) => `${quoted(key)}=${toml}`).join(',')}}`

const list = (texts: readonly string[]) => `[${texts.map(quoted).join(',')}]`

/** A TOML string is a JSON string, but for DEL and for halves of characters. */
const quoted = (text: string) =>
  JSON.stringify(text.replace(/\p{Surrogate}/gu, '\ufffd')).replaceAll('\x7f', '\\u007f')
