import type { Clock } from '../../ports/clock.ts'

/** Rings once, at the earliest time that was asked for. */
export class Alarm {
  readonly #clock: Clock
  readonly #ring: () => void
  #at = Number.POSITIVE_INFINITY
  #cancel = () => {}

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock
    this.#ring = ring
  }

  /**
   * `askedAt`: epoch ms. If the stored time has passed and the alarm did not ring (the wall clock jumped, or the machine
   * slept), it rings at once.
   */
  set(askedAt: number): void {
    const now = this.#clock.now()
    if (askedAt >= this.#at && this.#at > now) return
    this.#cancel()
    this.#at = Math.min(askedAt, this.#at)
    this.#cancel = this.#clock.after(Math.max(0, this.#at - now), () => {
      this.#at = Number.POSITIVE_INFINITY
      this.#ring()
    })
  }

  cancel(): void {
    this.#cancel()
  }
}
