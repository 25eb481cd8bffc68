// Owns the failure class of OpenCode's errors: who or what has to change before it can go on.
import type { FailureClass } from '../../ports/run/agent-driver.ts'

/** Only the end of stderr is read: the reason is there. */
const MOST_STDERR = 20_000

/** Providers answer 400 or 429 when there is no credit left; waiting does not help then. */
const BILLING =
  /credit balance|insufficient[ _](?:quota|balance|funds|credits)|billing_|account is not active|payment[ _]required|out of credits/i

/** The first pattern that matches decides. */
const WORDS: readonly (readonly [RegExp, FailureClass])[] = [
  [/ENOSPC|no space left|disk(?: is)? full/i, 'environment'],
  [
    /Unable to connect|ConnectionRefused|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|getaddrinfo/i,
    'environment',
  ],
  [/usage[ _]limit|rate[ _-]?limit|too[ _]many[ _]requests|limit reached|quota exceeded/i, 'limit'],
  [/ProviderModelNotFound|model[ _]not[ _]found|no such model|unknown model/i, 'permanent'],
  [/ProviderAuth|api[ _]key|unauthori[sz]ed|authentication|forbidden|not logged in/i, 'permanent'],
  [/session not found|configuration is invalid|failed to change directory/i, 'permanent'],
  // The help text, which it prints for an unknown option.
  [/^opencode run \[message/m, 'permanent'],
  // A refused question ends the run without a result, and would do so again.
  [/auto-rejecting/, 'permanent'],
  // When two first runs create its database at once, one of them fails.
  [/database is locked/, 'transient'],
  [
    /overloaded|unavailable|server[ _]error|timed? ?out|ECONNRESET|connection (?:reset|was closed)/i,
    'transient',
  ],
]

export const classOfWords = (text: string): FailureClass =>
  BILLING.test(text) ? 'permanent' : (WORDS.find(([words]) => words.test(text))?.[1] ?? 'crash')

/** The status of the provider's answer decides; only missing credit is known by its words. */
export function classOfAnswer(status: number, text: string): FailureClass {
  if (BILLING.test(text)) return 'permanent'
  if (status === 429) return 'limit'
  if (status >= 500 || status === 408) return 'transient'
  if ([401, 402, 403, 404].includes(status)) return 'permanent'
  return classOfWords(text)
}

/** The message may have colour codes, when it was written to a terminal. */
export const isLostOpencodeSession = (text: string) =>
  /^(?:.{0,20}Error: .{0,8})?Session not found\b/m.test(text)

/** The log has a line for every failed try; only a line with `failed` is about the end. */
export function classOfStderr(text: string): FailureClass {
  const lines = text.slice(-MOST_STDERR).split('\n')
  return classOfWords(lines.filter((line) => !/ level=ERROR (?!.* message=failed )/.test(line)).join('\n'))
}
