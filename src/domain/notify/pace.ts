// Owns when a channel is tried: not in quiet hours, not too often, and ever more rarely while it does not answer. Pure.
import { isQuiet } from '../text/quiet-hours.ts'

const FIRST_PAUSE_MS = 5000
const LONGEST_PAUSE_MS = 10 * 60_000
/** A receiver may ask to be left alone, but not for ever. */
const LONGEST_ASKED_MS = 3_600_000
const MINUTES_PER_DAY = 24 * 60
const MINUTE_MS = 60_000

/** `tries`: how often it has failed. `askedMs`: how long the receiver wants to be left alone. */
export function pauseMs(tries: number, askedMs: number | null): number {
  const own = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(30, Math.max(0, tries - 1)))
  return Math.max(own, Math.min(askedMs ?? 0, LONGEST_ASKED_MS))
}

/** How long it was tried for, when it has failed so often: time in which nobody could try does not count. */
export function triedForMs(tries: number): number {
  let sum = 0
  for (let failed = 1; failed <= tries; failed++) sum += pauseMs(failed, null)
  return sum
}

/** How long until the next try. A time that lies further ahead than any pause is a clock that was set back. */
export const dueInMs = (nextAt: number, now: number) =>
  nextAt - now > LONGEST_ASKED_MS ? 0 : Math.max(0, nextAt - now)

/** When it is quiet no more, as the clock shows it; null when it is not quiet. */
export const quietUntil = (hours: string | null, minuteOfDay: number): string | null =>
  hours !== null && isQuiet(hours, minuteOfDay) ? hours.slice(6) : null

/** How long it stays quiet, up to a minute too long; 0 when it is not quiet. */
export function quietForMs(hours: string | null, minuteOfDay: number): number {
  if (hours === null || !isQuiet(hours, minuteOfDay)) return 0
  const end = Number(hours.slice(6, 8)) * 60 + Number(hours.slice(9))
  const left = (end - minuteOfDay + MINUTES_PER_DAY) % MINUTES_PER_DAY
  return left * MINUTE_MS
}
