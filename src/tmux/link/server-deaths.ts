// Owns how often the tmux server may die before we stop restarting it, and for how long we rest then.

export const DEATHS_TO_GIVE_UP = 3
const WINDOW_MS = 10 * 60_000

const LONGEST_REST_FACTOR = 6

/** The first rest is `restMs`. Each further one, without ten good minutes in between, is twice as long, up to six times `restMs`. */
export const restMsAfter = (restMs: number, timesGivenUp: number) =>
  restMs * Math.min(2 ** (timesGivenUp - 1), LONGEST_REST_FACTOR)

/** Whether the last rest was so long ago that this outage is a new one. */
export const isNewOutage = (restedUntilMono: number, nowMono: number) =>
  nowMono - restedUntilMono >= WINDOW_MS

/** The times (monotonic ms) of the deaths that still count, with the one of now. */
export const deathsWithin = (earlier: readonly number[], nowMono: number): number[] => [
  ...earlier.filter((at) => nowMono - at < WINDOW_MS),
  nowMono,
]
