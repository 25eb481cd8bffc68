// Owns what an agent's words add to the books: usage, session, result, last words. Pure.
import { printable } from '../domain/names.ts'
import type { Task } from '../domain/task.ts'
import type { AgentDriver, AgentSays } from '../ports/agent-driver.ts'
import type { Reading } from '../ports/store.ts'

/** Enough for any final message; a row is not a log. */
const MOST_LAST_WORDS = 64 * 1024

type Spent = Pick<Task, 'tokensIn' | 'tokensOut' | 'costUsd'>

/** `spent` is what the task has on its books. */
export function effectsOf(says: readonly AgentSays[], driver: AgentDriver, spent: Spent) {
  const words = says.findLast((said) => said.kind === 'said')
  const blocked = says.flatMap((said) => (said.kind === 'blocked' ? [`${said.tool}: ${said.why}`] : []))
  return {
    unknownLines: says.filter((said) => said.kind === 'unknown').length,
    ...usageOf(says, spent),
    ...sessionIn(says, driver),
    ...(words?.kind === 'said' ? { lastWords: words.text.slice(0, MOST_LAST_WORDS) } : {}),
    ...(blocked.length > 0 ? { blocked } : {}),
    ...resultAfter(says),
  }
}

/** Turns are added up. A sum over the session is brought in by what it exceeds the books; a smaller one is a new session's. */
function usageOf(says: readonly AgentSays[], spent: Spent): Spent {
  const told = says.filter((said) => said.kind === 'usage')
  const turns = told.filter(({ cumulative }) => !cumulative)
  const sum = told.findLast(({ cumulative }) => cumulative === true)
  const added = (of: keyof Spent) => turns.reduce((total, turn) => total + turn[of], 0)
  const beyond = (of: keyof Spent) =>
    sum === undefined ? 0 : sum[of] >= spent[of] ? sum[of] - spent[of] : sum[of]
  const both = (of: keyof Spent) => added(of) + beyond(of)
  return { tokensIn: both('tokensIn'), tokensOut: both('tokensOut'), costUsd: both('costUsd') }
}

/** The last one told counts. One that cannot be leaves us without any: what we knew would be a guess. */
function sessionIn(
  says: readonly AgentSays[],
  driver: AgentDriver,
): Pick<Reading, 'sessionId' | 'refusedSession'> {
  const told = says.findLast((said) => said.kind === 'session')
  if (told === undefined) return {}
  return driver.sessionIdPattern.test(told.id)
    ? { sessionId: told.id }
    : { refusedSession: printable(told.id) }
}

/** Some agents tell their session with every step. */
export function withoutRepeats(says: readonly AgentSays[], known: string | null): AgentSays[] {
  const told = new Set([known])
  return says.filter((said) => said.kind !== 'session' || (!told.has(said.id) && told.add(said.id)))
}

/** An agent that uses tools after its result has not ended yet: the result is void until it says another. Words alone may be its farewell. */
function resultAfter(says: readonly AgentSays[]): Pick<Reading, 'result'> {
  const last = says.findLast(({ kind }) => ENDS_OR_GOES_ON.has(kind))
  if (last === undefined) return {}
  return { result: last.kind === 'finished' ? { ok: last.ok, text: last.text } : null }
}
const ENDS_OR_GOES_ON: ReadonlySet<AgentSays['kind']> = new Set(['finished', 'tool_began', 'tool_ended'])
