/** All time comes from here, so that a test of a long wait takes a millisecond. */
export interface Clock {
  /** Wall clock, epoch ms. May jump in both directions. */
  now(): number
  /** Minutes since local midnight. */
  minuteOfDay(): number
  /** Ms since boot, without the time in suspend. Never goes back. Comparable between processes of one boot. */
  monotonic(): number
  sleep(ms: number): Promise<void>
  /**
   * Calls once, `ms` from now. The returned function cancels the call. A waiting call does not keep the process alive.
   */
  after(ms: number, call: () => void): () => void
}
