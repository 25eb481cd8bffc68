// OpenCode as Holdfast sees it: how it starts. Its words are in opencode-events.ts, its screen in opencode-screen.ts.
//
// It asks a failing model five times more without a word: for about 70 s, or as long as the provider's retry-after
// says. So its silence is no sign of trouble, and a limit is told only when these tries are spent.
// It tells its session id with its first step, and a tool only when it has ended: not to hear of one proves nothing.
import type { AgentDriver, LaunchPlan, LaunchRequest } from '../ports/agent-driver.ts'
import { opencodeConfig, PERSONA_FILE, restrictedAgent } from './opencode-config.ts'
import { readOpencodeEvent } from './opencode-events.ts'
import { classOfStderr } from './opencode-failure.ts'
import { readOpencodeScreen } from './opencode-screen.ts'

export const opencodeDriver: AgentDriver = {
  kind: 'opencode',
  program: {
    name: 'opencode',
    versionArgs: ['--version'],
    tested: ['1.18.33', '1.18.33'],
    install: 'npm install -g opencode-ai',
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
  sessionIdPattern: /^ses_[0-9a-f]{12}[0-9A-Za-z]{14}$/,
  ownEnv: [
    'OPENCODE_*',
    ...['ANTHROPIC_*', 'OPENAI_*', 'AZURE_*', 'AWS_*', 'CLOUDFLARE_*', 'GOOGLE_*', 'GEMINI_API_KEY'],
    ...['DEEPSEEK_API_KEY', 'GROQ_API_KEY', 'MISTRAL_API_KEY', 'MOONSHOT_API_KEY', 'OPENROUTER_API_KEY'],
    ...['XAI_API_KEY', 'ZHIPU_API_KEY'],
  ],
  launch,
  readEvent: readOpencodeEvent,
  readStderr: classOfStderr,
  readScreen: readOpencodeScreen,
}

function launch(request: LaunchRequest): LaunchPlan {
  const { dir, model, persona, prompt, resume } = request
  const config = opencodeConfig(request)
  return {
    // It believes PWD more than where it is, hence --dir; what went wrong inside it, only its log tells.
    argv: [
      ...['opencode', 'run', '--format=json', '--print-logs', '--log-level=ERROR', `--dir=${dir}`],
      ...(model === null ? [] : [`--model=${model}`]),
      ...(resume === null ? [] : [`--session=${resume}`]),
      ...permissionArgs(request),
    ],
    // Of all settings but an administrator's it counts last, so that no project can widen what we narrow.
    env: config === undefined ? {} : { OPENCODE_CONFIG_CONTENT: config },
    stdin: prompt,
    files: persona === null ? [] : [{ name: PERSONA_FILE, content: persona }],
    sessionId: resume,
  }
}

/** `full` approves whatever OpenCode would ask; what the user's own settings forbid stays forbidden. */
function permissionArgs(request: LaunchRequest): string[] {
  if (request.permission === 'full') return ['--auto']
  return request.permission === 'default' ? [] : [`--agent=${restrictedAgent(request)}`]
}
