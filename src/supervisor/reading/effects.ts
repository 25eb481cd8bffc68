// Owns which stored facts an agent's words change: usage, session, steps, result, failure, last words. Pure.
import { printable } from '../../domain/names/names.ts'
import { resetTime } from '../../domain/recovery/reset-time.ts'
import type { Run } from '../../domain/task/run.ts'
import type { SessionUsage, Task } from '../../domain/task/task.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import type { AgentDriver, AgentSays } from '../../ports/run/agent-driver.ts'
import type { Reading } from '../../ports/store/reading.ts'
import { stepsAfter } from './steps-after.ts'

/** In characters: enough for any final message, but no log is kept in a database row. */
const MOST_LAST_WORDS = 64 * 1024

/** What is stored so far. */
type Stored = {
  readonly task: Pick<Task, 'sessionId' | 'sessionUsage'>
  readonly run: Pick<Run, 'steps'>
}

export function effectsOf(
  says: readonly AgentSays[],
  driver: AgentDriver,
  { task, run }: Stored,
  nowMs: number,
) {
  const words = says.findLast((said) => said.kind === 'said')
  const blocked = says.flatMap((said) =>
    said.kind === 'blocked' ? [redactSecrets(`${said.tool}: ${said.why}`)] : [],
  )
  return {
    unknownLines: says.filter((said) => said.kind === 'unknown').length,
    ...usageOf(says, task),
    ...sessionIn(says, driver),
    ...(words?.kind === 'said' ? { lastWords: words.text.slice(0, MOST_LAST_WORDS) } : {}),
    ...(blocked.length > 0 ? { blocked } : {}),
    ...stepsAfter(says, run.steps, nowMs),
    ...resultAfter(says),
    ...failureAfter(says, nowMs),
  }
}

type Usage = Pick<Reading, 'tokensIn' | 'tokensOut' | 'costUsd'>
const NOTHING: Usage = { tokensIn: 0, tokensOut: 0, costUsd: 0 }

/** Usage of single turns is added up. Of a sum over the whole session, only the growth since the last such sum counts, whichever run reported it. */
function usageOf(
  says: readonly AgentSays[],
  { sessionId, sessionUsage }: Stored['task'],
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

/** The last session id counts. If it is invalid, no session is known any more: the earlier id would be a guess. */
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

/** Leaves out session ids that are known already: some agents report theirs with every step. */
export function withoutRepeats(says: readonly AgentSays[], known: string | null): AgentSays[] {
  const told = new Set([known])
  return says.filter((said) => said.kind !== 'session' || (!told.has(said.id) && told.add(said.id)))
}

/** An agent that uses tools after its result goes on: that result is void until it reports another. Words alone after a result do not void it. */
function resultAfter(says: readonly AgentSays[]): Pick<Reading, 'result'> {
  const last = says.findLast(({ kind }) => ENDS_OR_GOES_ON.has(kind))
  if (last === undefined) return {}
  return { result: last.kind === 'finished' ? { ok: last.ok, text: last.text } : null }
}
const ENDS_OR_GOES_ON: ReadonlySet<AgentSays['kind']> = new Set(['finished', 'tool_began', 'tool_ended'])

/** A reported limit counts as the failure, even if the agent reports no end. */
function failureAfter(says: readonly AgentSays[], nowMs: number): Pick<Reading, 'failure' | 'limitedUntil'> {
  const last = says.findLast(({ kind }) => kind === 'limited' || ENDS_OR_GOES_ON.has(kind))
  if (last === undefined) return {}
  if (last.kind !== 'limited' && !(last.kind === 'finished' && last.failure === 'limit'))
    return { failure: (last.kind === 'finished' && !last.ok && last.failure) || null, limitedUntil: null }
  const until = limitEnd(says, nowMs)
  // Without a time, an end of the limit that was reported earlier stays stored.
  return { failure: 'limit', ...(until === null ? {} : { limitedUntil: until }) }
}

/** Epoch ms when the limit ends. An exact time goes before a time in words. */
function limitEnd(says: readonly AgentSays[], nowMs: number): number | null {
  const limits = says.filter((said) => said.kind === 'limited')
  const exact = limits.findLast(({ untilMs }) => untilMs !== null)?.untilMs
  return exact ?? resetTime(limits.findLast(({ resets }) => resets !== undefined)?.resets ?? '', nowMs)
}
