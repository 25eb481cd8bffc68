// Owns how often the server may die before we stop restarting it, and for how long.

export const DEATHS_TO_GIVE_UP = 3
const WINDOW_MS = 10 * 60_000

const LONGEST_REST_FACTOR = 6

/** The first rest is as set; each further one, without ten good minutes in between, twice as long, up to six times. */
export const restMsAfter = (restMs: number, timesGivenUp: number) =>
  restMs * Math.min(2 ** (timesGivenUp - 1), LONGEST_REST_FACTOR)

/** Far enough from the last rest to be a trouble of its own. */
export const isNewOutage = (restedUntilMono: number, nowMono: number) =>
  nowMono - restedUntilMono >= WINDOW_MS

/** The deaths that still count, this one included. */
export const deathsWithin = (earlier: readonly number[], nowMono: number): number[] => [
  ...earlier.filter((at) => nowMono - at < WINDOW_MS),
  nowMono,
]
