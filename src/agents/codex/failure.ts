// Owns why Codex failed, judged by its words. It writes typographic quotes, so no pattern may depend on one.
import type { AgentSays, FailureClass } from '../../ports/run/agent-driver.ts'
import { MOST_DETAIL, short } from '../shared/json-line.ts'
import { limitedBy } from '../shared/limited.ts'

/** Only the end of stderr is read: it may be long, and the reason is at its end. */
const STDERR_TAIL = 20_000

/** The first pattern that matches decides. A server's words may follow a status, so the status comes before most words. */
const reasons: readonly (readonly [RegExp, FailureClass])[] = [
  [/no space left|disk quota exceeded|os error (28|122)\b|connection failed/i, 'environment'],
  [/\bstatus:? 429\b|hit your usage limit/i, 'limit'],
  [/\bstatus:? (408|409|425|5\d\d)\b/i, 'transient'],
  [/\bstatus:? 4\d\d\b/i, 'permanent'],
  [/dns error|failed to lookup|network is unreachable|connection refused/i, 'environment'],
  [
    /high demand|at capacity|capacity unavailable|stream disconnected|reading the server response/i,
    'transient',
  ],
  [/timed out|timeout|connection (closed|reset)|incomplete response/i, 'transient'],
  [
    /quota exceeded|billing|out of credits|spend cap|upgrade to plus|sign in|log ?in again|logged out/i,
    'permanent',
  ],
  [/access token|refresh token|missing environment variable|context window|is not supported/i, 'permanent'],
  // For a refused request (400), Codex prints only the server's answer, as JSON.
  [/^\s*\{/, 'permanent'],
]

/** For runs that ended without an event: wrong options and settings, which no retry fixes. */
const refusals =
  /^error: (unexpected|invalid|the )|^error loading config|failed to load config|no rollout found|thread not found|^no prompt provided/im

export const codexFailure = (message: string): FailureClass =>
  reasons.find(([pattern]) => pattern.test(message))?.[1] ?? 'crash'

export function codexStderrFailure(text: string): FailureClass {
  const tail = text.slice(-STDERR_TAIL)
  return refusals.test(tail) ? 'permanent' : codexFailure(tail)
}

/** The app server says first that it has no rollout, and then, for every prompt, that it has no thread. */
export const isLostCodexSession = (text: string) =>
  /\b(no rollout found for thread id|thread not found)\b/.test(text)

/** What a failed turn becomes; for a limit also its end, if the message names it. */
export function failedTurn(message: string): AgentSays[] {
  const text = short(message, MOST_DETAIL)
  const failure = codexFailure(text)
  const finished: AgentSays = { kind: 'finished', ok: false, text, failure }
  return failure === 'limit' ? [limitedBy(text), finished] : [finished]
}
