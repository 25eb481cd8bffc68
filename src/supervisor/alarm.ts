import type { Clock } from '../ports/clock.ts'

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

  set(at: number): void {
    if (at >= this.#at) return
    this.#cancel()
    this.#at = at
    this.#cancel = this.#clock.after(Math.max(0, at - this.#clock.now()), () => {
      this.#at = Number.POSITIVE_INFINITY
      this.#ring()
    })
  }

  cancel(): void {
    this.#cancel()
  }
}
