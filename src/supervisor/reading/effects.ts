// Owns what an agent's words add to the books: usage, session, steps, result, why it failed, last words. Pure.
import { printable } from '../../domain/names/names.ts'
import { resetTime } from '../../domain/recovery/reset-time.ts'
import type { Run, SessionUsage, Task } from '../../domain/task/task.ts'
import type { AgentDriver, AgentSays } from '../../ports/agent-driver.ts'
import type { Reading } from '../../ports/store-changes.ts'
import { stepsAfter } from './steps-after.ts'

/** Enough for any final message; a row is not a log. */
const MOST_LAST_WORDS = 64 * 1024

/** What is stored so far. */
type Books = {
  readonly task: Pick<Task, 'sessionId' | 'sessionUsage'>
  readonly run: Pick<Run, 'steps'>
}

export function effectsOf(
  says: readonly AgentSays[],
  driver: AgentDriver,
  { task, run }: Books,
  nowMs: number,
) {
  const words = says.findLast((said) => said.kind === 'said')
  const blocked = says.flatMap((said) => (said.kind === 'blocked' ? [`${said.tool}: ${said.why}`] : []))
  return {
    unknownLines: says.filter((said) => said.kind === 'unknown').length,
    ...usageOf(says, task),
    ...sessionIn(says, driver),
    ...(words?.kind === 'said' ? { lastWords: words.text.slice(0, MOST_LAST_WORDS) } : {}),
    ...(blocked.length > 0 ? { blocked } : {}),
    ...stepsAfter(says, run.steps),
    ...resultAfter(says),
    ...failureAfter(says, nowMs),
  }
}

type Usage = Pick<Reading, 'tokensIn' | 'tokensOut' | 'costUsd'>
const NOTHING: Usage = { tokensIn: 0, tokensOut: 0, costUsd: 0 }

/** Turns are added up. A sum over the session counts by what it exceeds the one that was told before, whichever run told it. */
function usageOf(
  says: readonly AgentSays[],
  { sessionId, sessionUsage }: Books['task'],
): Usage & Pick<Reading, 'sessionUsage'> {
  const told = says.filter((said) => said.kind === 'usage')
  const turns = told.filter(({ cumulative }) => !cumulative)
  const session = says.findLast((said) => said.kind === 'session')?.id ?? sessionId
  const before = sessionUsage?.session === session ? sessionUsage : NOTHING
  const { tokensIn, tokensOut, costUsd } = told.findLast(({ cumulative }) => cumulative === true) ?? before
  const sum: SessionUsage = { session, tokensIn, tokensOut, costUsd }
  const added = (of: keyof Usage) =>
    turns.reduce((total, turn) => total + turn[of], Math.max(0, sum[of] - before[of]))
  return {
    tokensIn: added('tokensIn'),
    tokensOut: added('tokensOut'),
    costUsd: added('costUsd'),
    ...(turns.length < told.length ? { sessionUsage: sum } : {}),
  }
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

/** A limit is one also where nothing else is said of the end. */
function failureAfter(says: readonly AgentSays[], nowMs: number): Pick<Reading, 'failure' | 'limitedUntil'> {
  const last = says.findLast(({ kind }) => kind === 'limited' || ENDS_OR_GOES_ON.has(kind))
  if (last === undefined) return {}
  if (last.kind !== 'limited' && !(last.kind === 'finished' && last.failure === 'limit'))
    return { failure: (last.kind === 'finished' && !last.ok && last.failure) || null, limitedUntil: null }
  const until = limitEnd(says, nowMs)
  // Its end may have been told before.
  return { failure: 'limit', ...(until === null ? {} : { limitedUntil: until }) }
}

/** An instant rather than words. */
function limitEnd(says: readonly AgentSays[], nowMs: number): number | null {
  const limits = says.filter((said) => said.kind === 'limited')
  const exact = limits.findLast(({ untilMs }) => untilMs !== null)?.untilMs
  return exact ?? resetTime(limits.findLast(({ resets }) => resets !== undefined)?.resets ?? '', nowMs)
}
