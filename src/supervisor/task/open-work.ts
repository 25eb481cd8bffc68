// Owns what an agent may be waiting for while it is silent, as far as its own words tell. Pure.
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import type { Run, Task } from '../../domain/task/task.ts'
import type { AgentSays } from '../../ports/agent-driver.ts'

export type OpenWork = {
  /** Tool calls that began and have not ended. */
  readonly tools: number
  /** A prompt or a tool's result is with the model, and nothing has come back. */
  readonly request: boolean
}

/** Of a turn that is over. */
export const NOTHING_OPEN: OpenWork = { tools: 0, request: false }

/** Of a run that begins: headless, it has its prompt; in a terminal it tells when it has heard one. */
export const openWorkOf = ({ mode }: Task, { eventsOffset }: Run): OpenWork | null =>
  eventsOffset === 0 ? { tools: 0, request: mode === 'headless' } : null

/** Null is unknown, after a restart of the daemon or lines that were lost, until its turn is over. */
export const openAfter = (open: OpenWork | null, says: readonly AgentSays[]): OpenWork | null =>
  says.reduce(after, open)

function after(open: OpenWork | null, said: AgentSays): OpenWork | null {
  if (said.kind === 'finished') return NOTHING_OPEN
  if (open === null) return null
  switch (said.kind) {
    case 'heard':
      return { ...open, request: true }
    case 'tool_began':
      return { tools: open.tools + 1, request: false }
    case 'tool_ended':
      return { tools: Math.max(0, open.tools - 1), request: true }
    case 'said':
    case 'asked':
      return { ...open, request: false }
    default:
      return open
  }
}

/** Why silence is no wonder. Unknown is patience too. */
export function reasonForPatience(open: OpenWork | null): Evidence | undefined {
  if (open === null) return saw('agent', 'it is not known whether a tool call is open')
  if (open.tools > 0)
    return saw('agent', open.tools === 1 ? 'a tool call is open' : `${open.tools} tool calls are open`)
  return open.request ? saw('agent', 'a request to its model is open') : undefined
}
