// Owns what an OpenCode error means: who or what has to change before it can go on.
import type { FailureClass } from '../../ports/agent-driver.ts'

/** The end tells. */
const MOST_STDERR = 20_000

/** Providers say 400 or 429 for an empty purse, which no waiting fills. */
const BILLING =
  /credit balance|insufficient[ _](?:quota|balance|funds|credits)|billing_|account is not active|payment[ _]required|out of credits/i

/** The first that fits. */
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
  // Its help, which is its answer to an option it does not know.
  [/^opencode run \[message/m, 'permanent'],
  // A refused question ends the run without a result, and would again.
  [/auto-rejecting/, 'permanent'],
  // Of two first runs that make its database at once, one fails.
  [/database is locked/, 'transient'],
  [
    /overloaded|unavailable|server[ _]error|timed? ?out|ECONNRESET|connection (?:reset|was closed)/i,
    'transient',
  ],
]

export const classOfWords = (text: string): FailureClass =>
  BILLING.test(text) ? 'permanent' : (WORDS.find(([words]) => words.test(text))?.[1] ?? 'crash')

/** The status of the provider's answer says more than its words, but for money. */
export function classOfAnswer(status: number, text: string): FailureClass {
  if (BILLING.test(text)) return 'permanent'
  if (status === 429) return 'limit'
  if (status >= 500 || status === 408) return 'transient'
  if ([401, 402, 403, 404].includes(status)) return 'permanent'
  return classOfWords(text)
}

/** On a terminal it is coloured. */
export const isLostOpencodeSession = (text: string) =>
  /^(?:.{0,20}Error: .{0,8})?Session not found\b/m.test(text)

/** Its log tells of every failed try; only a line that says `failed` tells of the end. */
export function classOfStderr(text: string): FailureClass {
  const lines = text.slice(-MOST_STDERR).split('\n')
  return classOfWords(lines.filter((line) => !/ level=ERROR (?!.* message=failed )/.test(line)).join('\n'))
}
