/** Time comes in through the door, so that a test of a long wait takes a millisecond. */
export interface Clock {
  /** Wall clock, epoch milliseconds. May jump in both directions. */
  now(): number
  /** Minutes since local midnight. */
  minuteOfDay(): number
  /** Milliseconds since this boot, never backwards, not counting suspend. Comparable between processes of one boot. */
  monotonic(): number
  sleep(ms: number): Promise<void>
  /** Calls once after ms; the returned function calls it off. Does not keep the process alive. */
  after(ms: number, call: () => void): () => void
}
