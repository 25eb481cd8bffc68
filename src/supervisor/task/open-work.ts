// Owns what an agent may be waiting for while it is silent, as far as its own reports tell. Pure.
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import type { Run } from '../../domain/task/run.ts'
import type { Task } from '../../domain/task/task.ts'
import type { AgentSays } from '../../ports/run/agent-driver.ts'

export type OpenWork = {
  /** Tool calls that began and have not ended. */
  readonly tools: number
  /** A prompt or a tool's result was sent to the model, and nothing has come back. */
  readonly request: boolean
}

/** Holds after a turn is over. */
export const NOTHING_OPEN: OpenWork = { tools: 0, request: false }

/** At the start of a run: a headless agent has its prompt, one in a terminal reports when it has heard one. Later: unknown. */
export const openWorkOf = ({ mode }: Task, { eventsOffset }: Run): OpenWork | null =>
  eventsOffset === 0 ? { tools: 0, request: mode === 'headless' } : null

/** Null means unknown: after a restart of the daemon, or after lost lines, until the turn is over. */
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

/** Why the agent may be silent for longer. That its open work is unknown is a reason too. */
export function reasonForPatience(open: OpenWork | null): Evidence | undefined {
  if (open === null) return saw('agent', 'it is not known whether a tool call is open')
  if (open.tools > 0)
    return saw('agent', open.tools === 1 ? 'a tool call is open' : `${open.tools} tool calls are open`)
  return open.request ? saw('agent', 'a request to its model is open') : undefined
}
