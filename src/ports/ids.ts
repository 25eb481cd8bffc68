/** New ids, and random numbers. */
export interface Ids {
  /** The id of a new run: ordered by time, and unique across nodes. */
  run(): string
  random(): string
  /** A random number from 0 to 1. */
  chance(): number
}
