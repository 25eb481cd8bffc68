/** Fresh names for things. */
export interface Ids {
  /** Time-ordered and unique across nodes. */
  run(): string
  random(): string
  /** From 0 to 1. */
  chance(): number
}
