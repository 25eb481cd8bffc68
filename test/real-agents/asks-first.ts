import type { AgentKind } from './agent-home.ts'
import { unboxed } from './codex-talk.ts'
import { driverOf } from './daemon-world.ts'

/** What the command writes, and where in the project. */
export const ASKED_FILE = 'asked.txt'
const COMMAND = `python3 -c "open('${ASKED_FILE}', 'a').write('x')"`

/** Has the agent ask before it runs a command: none that it takes for harmless; Codex asks only to leave its sandbox. */
export const asksFirst = (kind: AgentKind): string =>
  kind === 'codex' ? unboxed(COMMAND) : `DO:shell{${COMMAND}}`

/** Pi asks nothing. */
export const canAsk = (kind: AgentKind): boolean => driverOf(kind).can.asks.includes('edit')
