// Owns the failure class of Pi's errors: who or what has to change before it can go on. Every provider has its own words.
import type { FailureClass } from '../../ports/run/agent-driver.ts'

/** Providers answer 400 or 429 when there is no credit left; waiting does not help then. */
const BILLING =
  /credit balance|insufficient[ _](?:quota|balance|funds|credits)|billing|out of (?:budget|credits)/i

/** `429: {…}`, `401 {…}`, `OpenAI API error (503): …`, `{"error":{"code":429…`; not a part of a longer number. */
const STATUS = /(?:^|: ?|\()([45]\d\d)(?![\d.])/

/** The first pattern that matches decides. */
const WORDS: readonly (readonly [RegExp, FailureClass])[] = [
  [/ENOSPC|EDQUOT|no space left/i, 'environment'],
  [/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|getaddrinfo/i, 'environment'],
  [
    /usage[ _]?limit|rate[ _-]?limit|too many requests|quota exceeded|resource[ _]?exhausted|throttl/i,
    'limit',
  ],
  [/api[ _]key|unauthori[sz]ed|authentication|forbidden|\/login\b/i, 'permanent'],
  [/model "[^"]*" (?:not found|is ambiguous)|unknown (?:model|provider|option)|no models? /i, 'permanent'],
  // A transcript or its directory is gone.
  [/no session found|session found in different project|session working directory/i, 'permanent'],
  // Pi says this also for a refused connection, so it does not prove that the network is down.
  [/connection|terminated|socket|fetch failed|network|timed? ?out|ended (?:before|without)/i, 'transient'],
  [/overloaded|high demand|unavailable|(?:server|internal)[ _]?error|retry your request/i, 'transient'],
]

export const isLostPiSession = (text: string) => /^No session found matching\b/m.test(text)

/** Judged by the words alone; used for stderr, too. */
export const classOfWords = (text: string): FailureClass =>
  BILLING.test(text) ? 'permanent' : (WORDS.find(([words]) => words.test(text))?.[1] ?? 'crash')

/** The status of the provider's answer decides; only missing credit is known by its words. */
export function classOfError(text: string): FailureClass {
  const status = Number(STATUS.exec(text)?.[1] ?? 0)
  if (BILLING.test(text)) return 'permanent'
  if (status === 429) return 'limit'
  if (status >= 500 || status === 408) return 'transient'
  if ([401, 402, 403, 404].includes(status)) return 'permanent'
  return classOfWords(text)
}

/** Epoch ms when a limit ends. The provider names a time, or a wait that counts from the time of the message. */
export function limitEnd(text: string, toldAtMs: number | null): number | null {
  const resetsAt = /"resets_at":\s*(\d{10})(?!\d)/.exec(text)?.[1]
  if (resetsAt !== undefined) return Number(resetsAt) * 1000
  const minutes = /try again in ~?(\d{1,6}) min/i.exec(text)?.[1]
  return minutes === undefined || toldAtMs === null ? null : toldAtMs + Number(minutes) * 60_000
}
