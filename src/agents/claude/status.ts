// Owns reading the file in which Claude Code writes whether it works. A process that was killed leaves the file behind.
import type { StatusFile } from '../../ports/run/agent-driver.ts'
import type { ScreenPhase } from '../../ports/run/screen.ts'
import { fieldsOf } from '../shared/json-line.ts'

const phases = new Map<unknown, ScreenPhase>([
  ['idle', 'idle'],
  ['busy', 'working'],
  ['waiting', 'asking'],
])

export const claudeStatus: StatusFile = {
  path: (pid, env) => `${claudeHome(env)}/sessions/${pid}.json`,
  read: (text) => phases.get(fieldsOf(text).status) ?? 'unknown',
}

/** The directory with Claude Code's settings and sessions. */
export const claudeHome = ({ CLAUDE_CONFIG_DIR, HOME }: Readonly<Record<string, string>>) =>
  CLAUDE_CONFIG_DIR || `${HOME}/.claude`
