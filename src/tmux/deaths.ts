// Owns how often the server may die before we stop restarting it.

export const DEATHS_TO_GIVE_UP = 3
const WINDOW_MS = 10 * 60_000

/** The deaths that still count, this one included. */
export const deathsWithin = (earlier: readonly number[], nowMono: number): number[] => [
  ...earlier.filter((at) => nowMono - at < WINDOW_MS),
  nowMono,
]
