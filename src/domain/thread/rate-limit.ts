// Owns how often an agent may be woken because of messages. Messages themselves are always stored: whoever makes the
// wake-up defers it, with TRIGGER_RATE_LIMITED, to the time that this tells.

export const RATE_WINDOW_MS = 60_000

export type RateLimits = { readonly perThread: number; readonly perAgent: number }

/** When agents were woken lately, epoch ms in any order: because of this thread, and on behalf of this author. */
export type WokenAt = { readonly ofThread: readonly number[]; readonly ofAuthor: readonly number[] }

/** The earliest time, from `now` on, at which one more wake-up keeps both limits: `now` itself when it may be at once. */
export const mayWakeAt = ({ ofThread, ofAuthor }: WokenAt, limits: RateLimits, now: number): number =>
  Math.max(freeAt(ofThread, limits.perThread, now), freeAt(ofAuthor, limits.perAgent, now))

/** Within any window there are at most `most`: the place of the `most`-th last one has to be free again. */
function freeAt(times: readonly number[], most: number, now: number): number {
  const newestFirst = [...times].sort((a, b) => b - a)
  const holds = newestFirst[most - 1]
  return holds === undefined ? now : Math.max(now, holds + RATE_WINDOW_MS)
}
