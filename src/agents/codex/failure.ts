// Why Codex failed, by its own words. It writes typographic quotes, so no pattern may depend on one.
import type { AgentSays, FailureClass } from '../../ports/agent-driver.ts'
import { MOST_DETAIL, short } from '../shared/json-line.ts'
import { limitedBy } from '../shared/limited.ts'

/** Stderr may be long, and its end tells. */
const STDERR_TAIL = 20_000

/** The first that fits. A server's own words may follow a status, so the status comes before most words. */
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
  // A refused request (400) is told as the server's bare answer.
  [/^\s*\{/, 'permanent'],
]

/** Of runs that ended without a word: wrong use and settings, which no retry mends. */
const refusals =
  /^error: (unexpected|invalid|the )|^error loading config|failed to load config|no rollout found|thread not found|^no prompt provided/im

export const codexFailure = (message: string): FailureClass =>
  reasons.find(([pattern]) => pattern.test(message))?.[1] ?? 'crash'

export function codexStderrFailure(text: string): FailureClass {
  const tail = text.slice(-STDERR_TAIL)
  return refusals.test(tail) ? 'permanent' : codexFailure(tail)
}

/** Its app server says first that it has no rollout, then, to every prompt, that it has no thread. */
export const isLostCodexSession = (text: string) =>
  /\b(no rollout found for thread id|thread not found)\b/.test(text)

/** How it says that a turn ended in a failure; a limit with its end, where that is told. */
export function failedTurn(message: string): AgentSays[] {
  const text = short(message, MOST_DETAIL)
  const failure = codexFailure(text)
  const finished: AgentSays = { kind: 'finished', ok: false, text, failure }
  return failure === 'limit' ? [limitedBy(text), finished] : [finished]
}
