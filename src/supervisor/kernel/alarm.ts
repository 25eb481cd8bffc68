import type { Clock } from '../../ports/clock.ts'

/** Goes off once, at the earliest time that was asked for. */
export class Alarm {
  readonly #clock: Clock
  readonly #ring: () => void
  #at = Number.POSITIVE_INFINITY
  #cancel = () => {}

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock
    this.#ring = ring
  }

  /** A time that has passed was not kept: the wall clock jumped, or the machine slept. It is made up for. */
  set(asked: number): void {
    const now = this.#clock.now()
    if (asked >= this.#at && this.#at > now) return
    this.#cancel()
    this.#at = Math.min(asked, this.#at)
    this.#cancel = this.#clock.after(Math.max(0, this.#at - now), () => {
      this.#at = Number.POSITIVE_INFINITY
      this.#ring()
    })
  }

  cancel(): void {
    this.#cancel()
  }
}
