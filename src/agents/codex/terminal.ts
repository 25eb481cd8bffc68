// Owns the settings of Codex for a run with its interface, by which we learn its session. The user's settings file is only read.
import type { LaunchRequest } from '../../ports/run/agent-driver.ts'
import { inlineTable, list, quoted, setting } from './toml.ts'

/** Before its end, Codex shows its session only here. The id comes first, so that a narrow window does not cut it off. */
const STATUS_LINE = ['thread-id', 'model-with-reasoning', 'current-dir']

export function terminalArgs(request: LaunchRequest): string[] {
  return [
    ...(hasStatusLine(request) ? [] : setting('tui.status_line', list(STATUS_LINE))),
    // A person who asked for `full` trusts the folder: its settings may run commands.
    ...(request.permission === 'full' ? setting('projects', trusted(request.dir)) : []),
  ]
}

function hasStatusLine({ env, peek }: LaunchRequest): boolean {
  const home = env.CODEX_HOME || `${env.HOME ?? ''}/.codex`
  return /^[ \t]*(tui\.)?status_line[ \t]*=/m.test(peek(`${home}/config.toml`) ?? '')
}

const trusted = (dir: string) => inlineTable([[dir, inlineTable([['trust_level', quoted('trusted')]])]])
