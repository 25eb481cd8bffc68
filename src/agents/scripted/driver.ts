// Owns the driver of the scripted agent. The program itself is in program/; docs/scripted-agent.md explains it.
import type { AgentDriver, LaunchPlan, LaunchRequest } from '../../ports/run/agent-driver.ts'
import { readScriptedEvent } from './events.ts'
import { scriptedKeys } from './keys.ts'
import { scriptedLines } from './lines.ts'
import { readScriptedScreen } from './screen.ts'

/** `executable` is the beginning of its argv, for example ['node', '…/scripted-agent.js']. */
export function scriptedDriver({ executable }: { executable: readonly string[] }): AgentDriver {
  return {
    kind: 'scripted',
    program: null,
    can: {
      modes: ['headless', 'interactive'],
      converse: true,
      // It asks what its script says, whatever is permitted. To be answered, it must be started with --converse.
      asks: [],
      terminal: { hears: 'keys', tells: 'screen' },
      model: true,
      personaFlag: false,
      permissions: ['default'],
      extraDirs: false,
      mcp: false,
      sessionId: 'chosen',
      resume: true,
      toolsTold: { headless: 'as_they_begin', terminal: 'untold' },
    },
    sessionIdPattern: /^[a-z0-9][a-z0-9-]{7,63}$/,
    ownEnv: ['SCRIPTED_AGENT_*'],
    launch: (request) => launchPlan(executable, request),
    readEvent: readScriptedEvent,
    readStderr: () => 'crash',
    lostSession: (text) => /^No session found with id\b/m.test(text),
    readScreen: readScriptedScreen,
    lines: scriptedLines,
    keys: scriptedKeys,
  }
}

function launchPlan(executable: readonly string[], request: LaunchRequest): LaunchPlan {
  const { model, prompt, resume, sessionId } = request
  const way = wayOf(request)
  const session = resume === null ? ['--session-id', sessionId] : ['--resume', resume]
  const modelArgs = model === null ? [] : [`--model=${model}`]
  return {
    argv: [...executable, ...way.args, ...session, ...modelArgs],
    env: {},
    stdin: way.once ? prompt : '',
    files: [],
    sessionId: resume ?? sessionId,
  }
}

function wayOf({ mode, converse }: LaunchRequest): { args: string[]; once: boolean } {
  if (mode === 'interactive') return { args: ['--tui', '--status-clock'], once: false }
  return converse ? { args: ['--json', '--converse'], once: false } : { args: ['--json'], once: true }
}
