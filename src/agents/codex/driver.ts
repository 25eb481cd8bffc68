// Owns the driver of OpenAI's Codex CLI: one prompt, a conversation with its app server, or its interface in a terminal.
import type { AgentDriver } from '../../ports/run/agent-driver.ts'
import { fieldsOf } from '../shared/json-line.ts'
import { readCodexEvent } from './events.ts'
import { codexStderrFailure, isLostCodexSession } from './failure.ts'
import { codexKeys } from './keys.ts'
import { CODEX_SESSION_ID, launchCodex } from './launch.ts'
import { codexLines } from './lines.ts'
import { codexLogin } from './login.ts'
import { isOfCodexSession } from './messages.ts'
import { readCodexScreen } from './screen.ts'
import { codexTranscript } from './transcript.ts'

export const codexDriver: AgentDriver = {
  kind: 'codex',
  program: {
    name: 'codex',
    versionArgs: ['--version'],
    tested: ['0.166.0', '0.166.0'],
    install: 'npm install -g @openai/codex',
    login: codexLogin,
  },
  can: {
    modes: ['headless', 'interactive'],
    converse: true,
    asks: ['default', 'edit'],
    terminal: { hears: 'keys', tells: 'screen' },
    model: true,
    personaFlag: true,
    permissions: ['default', 'read', 'edit', 'full'],
    extraDirs: true,
    mcp: true,
    sessionId: 'told',
    resume: true,
    toolsTold: { headless: 'a_moment_late', terminal: 'untold' },
  },
  sessionIdPattern: CODEX_SESSION_ID,
  // Not CODEX_*: the others (CODEX_THREAD_ID, CODEX_SANDBOX…) tie one Codex to the one that called it.
  ownEnv: [
    ...['CODEX_HOME', 'CODEX_SQLITE_HOME', 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', 'CODEX_CA_CERTIFICATE'],
    ...['CODEX_OSS_*', 'OPENAI_*', 'AZURE_OPENAI_*'],
  ],
  launch: launchCodex,
  readEvent: readCodexEvent,
  isOf: (line, session) => isOfCodexSession(fieldsOf(line), session),
  readStderr: codexStderrFailure,
  lostSession: isLostCodexSession,
  readScreen: readCodexScreen,
  lines: codexLines,
  keys: codexKeys,
  transcript: codexTranscript,
}
