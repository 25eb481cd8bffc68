// Owns the driver of OpenCode, and how it starts. Its event lines are read in events.ts, its screen in screen.ts.
//
// OpenCode retries a failing model five times without any output: for about 70 s, or as long as the provider's retry-after
// says. So its silence is no sign of trouble, and it reports a limit only after the last retry.
// It reports its session id with its first step, and a tool only when it has ended: a missing report proves nothing.
// All of this is better in a conversation: there our bridge (bridge/) talks to OpenCode's server.
import type { AgentDriver, LaunchPlan, LaunchRequest } from '../../ports/run/agent-driver.ts'
import { opencodeConfig, PERSONA_FILE, restrictedAgent, takesPrompts } from './config.ts'
import { readOpencodeEvent } from './events.ts'
import { classOfStderr, isLostOpencodeSession } from './failure.ts'
import { opencodeLines } from './lines.ts'
import { opencodeLogin } from './login.ts'
import { readOpencodeScreen } from './screen.ts'

/** `bridge` is the beginning of its argv, for example ['node', '…/opencode-bridge.js']. */
export const opencodeDriver = ({ bridge }: { bridge: readonly string[] }): AgentDriver => ({
  kind: 'opencode',
  program: {
    name: 'opencode',
    versionArgs: ['--version'],
    tested: ['1.18.33', '1.18.33'],
    install: 'npm install -g opencode-ai',
    login: opencodeLogin,
  },
  can: {
    modes: ['headless', 'interactive'],
    converse: true,
    asks: ['default', 'edit'],
    terminal: { hears: 'lines', tells: 'events' },
    model: true,
    personaFlag: true,
    permissions: ['default', 'read', 'edit', 'full'],
    extraDirs: true,
    mcp: true,
    sessionId: 'told',
    resume: true,
    // In a conversation tools are reported earlier; but a headless run may be either.
    toolsTold: { headless: 'when_they_end', terminal: 'a_moment_late' },
  },
  sessionIdPattern: /^ses_[0-9a-f]{12}[0-9A-Za-z]{14}$/,
  ownEnv: [
    'OPENCODE_*',
    ...['ANTHROPIC_*', 'OPENAI_*', 'AZURE_*', 'AWS_*', 'CLOUDFLARE_*', 'GOOGLE_*', 'GEMINI_API_KEY'],
    ...['DEEPSEEK_API_KEY', 'GROQ_API_KEY', 'MISTRAL_API_KEY', 'MOONSHOT_API_KEY', 'OPENROUTER_API_KEY'],
    ...['XAI_API_KEY', 'ZHIPU_API_KEY'],
  ],
  launch: (request) => launch(request, bridge),
  readEvent: readOpencodeEvent,
  readStderr: classOfStderr,
  lostSession: isLostOpencodeSession,
  readScreen: readOpencodeScreen,
  lines: opencodeLines,
})

function launch(request: LaunchRequest, bridge: readonly string[]): LaunchPlan {
  const { persona, prompt, resume } = request
  const config = opencodeConfig(request)
  return {
    argv: takesPrompts(request) ? [...bridge, ...bridgeArgs(request)] : onceArgv(request),
    // These settings win over all others except an administrator's, so that no project can widen what we narrow.
    env: config === undefined ? {} : { OPENCODE_CONFIG_CONTENT: config },
    stdin: takesPrompts(request) ? '' : prompt,
    files: persona === null ? [] : [{ name: PERSONA_FILE, content: persona }],
    sessionId: resume,
  }
}

// --dir, because OpenCode trusts PWD more than its working directory. --print-logs, because errors inside it are only in its log.
const onceArgv = (request: LaunchRequest) => [
  ...['opencode', 'run', '--format=json', '--print-logs', '--log-level=ERROR'],
  ...commonArgs(request),
]

const bridgeArgs = (request: LaunchRequest) => [
  ...(request.mode === 'interactive'
    ? ['--tui', `--input=${request.inputFile}`, `--events=${request.eventsFile}`]
    : []),
  ...commonArgs(request),
]

const commonArgs = (request: LaunchRequest) => [
  `--dir=${request.dir}`,
  ...(request.model === null ? [] : [`--model=${request.model}`]),
  ...(request.resume === null ? [] : [`--session=${request.resume}`]),
  ...permissionArgs(request),
]

/** `full` approves whatever OpenCode would ask; what the user's own settings forbid stays forbidden. */
function permissionArgs(request: LaunchRequest): string[] {
  if (request.permission === 'full') return ['--auto']
  return request.permission === 'default' ? [] : [`--agent=${restrictedAgent(request)}`]
}
