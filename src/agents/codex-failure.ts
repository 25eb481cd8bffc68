// Why Codex failed, by its own words. It writes typographic quotes, so no pattern may depend on one.
import type { FailureClass } from '../ports/agent-driver.ts'

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
  /^error: (unexpected|invalid|the )|^error loading config|no rollout found|^no prompt provided/im

export const codexFailure = (message: string): FailureClass =>
  reasons.find(([pattern]) => pattern.test(message))?.[1] ?? 'crash'

export function codexStderrFailure(text: string): FailureClass {
  const tail = text.slice(-STDERR_TAIL)
  return refusals.test(tail) ? 'permanent' : codexFailure(tail)
}
