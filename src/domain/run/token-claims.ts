// Owns what a run's token says, and when it counts. Pure.
import type { RunId, TaskId } from '../names/ids.ts'

/** `home`: the id of the home that signed it. Times are epoch ms. */
export type TokenClaims = {
  readonly run: RunId
  readonly task: TaskId
  readonly home: string
  readonly issued: number
  readonly expires: number
}

/** A clock that was set back by less than this makes no token one from the future. */
const CLOCK_SLACK_MS = 60_000

export const isInTime = ({ issued, expires }: Pick<TokenClaims, 'issued' | 'expires'>, now: number) =>
  issued <= now + CLOCK_SLACK_MS && now < expires

/** Half of its time is over; or the clock was set back, and it would be valid for longer than any token may. */
export function isDueForRenewal(expires: number | null, lifetimeMs: number, now: number): boolean {
  if (expires === null) return true
  const left = expires - now
  return left <= lifetimeMs / 2 || left > lifetimeMs
}
