// Owns the driver of Pi. How it starts is in launch.ts; its event lines are read in events.ts, its screen in screen.ts.
//
// Pi never asks before it acts. It has no MCP, no extra directories, and no limit to its own directory.
// Its transcript begins with the model's first answer: a session that was killed before that cannot be resumed.
import type { AgentDriver } from '../../ports/run/agent-driver.ts'
import { readPiEvent } from './events.ts'
import { classOfWords, isLostPiSession } from './failure.ts'
import { launchPi } from './launch.ts'
import { piLines } from './lines.ts'
import { piLogin } from './login.ts'
import { readPiScreen } from './screen.ts'

export const piDriver: AgentDriver = {
  kind: 'pi',
  program: {
    name: 'pi',
    versionArgs: ['--version'],
    tested: ['0.87.1', '0.87.1'],
    // With an older Node, npm would install a version that does not work, without a warning.
    install: 'npm install -g @earendil-works/pi-coding-agent@0.87.1 # needs Node 22.19 or later',
    needs: {
      version: '0.80.4',
      why: 'does not report when its turn is over, and the oldest versions take no session id',
      node: '22.19.0',
    },
    login: piLogin,
  },
  can: {
    modes: ['headless', 'interactive'],
    converse: true,
    asks: [],
    terminal: { hears: 'lines', tells: 'events' },
    model: true,
    personaFlag: true,
    permissions: ['default', 'read', 'full'],
    extraDirs: false,
    mcp: false,
    sessionId: 'chosen',
    resume: true,
    toolsTold: { headless: 'as_they_begin', terminal: 'as_they_begin' },
  },
  sessionIdPattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  ownEnv: [
    'PI_*',
    ...['ANTHROPIC_*', 'OPENAI_*', 'AZURE_OPENAI_*', 'AWS_*', 'CLOUDFLARE_*', 'GOOGLE_*', 'GEMINI_API_KEY'],
    ...['AI_GATEWAY_API_KEY', 'ANT_LING_API_KEY', 'BASETEN_API_KEY', 'CEREBRAS_API_KEY'],
    ...['COPILOT_GITHUB_TOKEN', 'DEEPSEEK_API_KEY', 'FIREWORKS_API_KEY', 'GROQ_API_KEY', 'HF_TOKEN'],
    ...['KIMI_API_KEY', 'META_API_KEY', 'MINIMAX_*', 'MISTRAL_API_KEY', 'MOONSHOT_API_KEY', 'NVIDIA_API_KEY'],
    ...['OPENCODE_API_KEY', 'OPENROUTER_API_KEY', 'QWEN_TOKEN_PLAN_*', 'RADIUS_API_KEY', 'TOGETHER_API_KEY'],
    ...['XAI_API_KEY', 'XIAOMI_*', 'ZAI_*'],
  ],
  launch: launchPi,
  readEvent: readPiEvent,
  readStderr: classOfWords,
  lostSession: isLostPiSession,
  readScreen: readPiScreen,
  lines: piLines,
}
