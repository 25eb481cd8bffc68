// Owns why Claude Code failed: judged by the status of the API if there is one, else by its words.
import type { FailureClass } from '../../ports/run/agent-driver.ts'

/** Only the end of stderr is read: it may be long, and the reason is at its end. */
const STDERR_TAIL = 20_000

/** The first pattern that matches decides. The apostrophe may be a typographic one, so no pattern depends on it. */
const reasons: readonly (readonly [RegExp, FailureClass])[] = [
  [/\bENOSPC\b|\bEDQUOT\b|no space left|disk quota exceeded/i, 'environment'],
  [/\b(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ENETDOWN)\b/, 'environment'],
  [/unable to connect|reach the API server|check your (internet|network)/i, 'environment'],
  [
    /credit balance|usage credits|out of (extra )?usage|billing|spend limit|disabled by your admin/i,
    'permanent',
  ],
  [/(hit|reached) your .{0,100}limit|limit reached|rate.limit|\(429\)|temporarily limiting/i, 'limit'],
  [/not logged in|\/login|API key|authenticat|OAuth token/i, 'permanent'],
  [/issue with the selected model|requires usage|prompt is too long|API Error: 4\d\d\b/i, 'permanent'],
  [
    /overloaded|at capacity|timed? ?out|connection (dropped|error|closed)|ECONNRESET|API Error: 5\d\d\b/i,
    'transient',
  ],
  [/no conversation found|reached maximum|exceeded usd budget/i, 'permanent'],
]

/** For runs that ended without an event: wrong options and settings, which no retry fixes. */
const refusals =
  /^error: (unknown|option|.{0,200}argument)|invalid (MCP configuration|session ID)|file not found|cannot be used with root|already in use/im

export const claudeFailure = (message: string): FailureClass =>
  reasons.find(([pattern]) => pattern.test(message))?.[1] ?? 'crash'

/** Undefined when the status says nothing about the reason. */
export function statusFailure(status: unknown): FailureClass | undefined {
  if (status === 429) return 'limit'
  if (status === 408 || status === 409) return 'transient'
  if (typeof status !== 'number' || status < 400) return undefined
  return status < 500 ? 'permanent' : 'transient'
}

export const isLostClaudeSession = (text: string) => /^No conversation found with session ID\b/m.test(text)

export function claudeStderrFailure(text: string): FailureClass {
  const tail = text.slice(-STDERR_TAIL)
  return refusals.test(tail) ? 'permanent' : claudeFailure(tail)
}
