import type { Clock } from '../../ports/clock.ts'

/** Repeats some work: after the pause that the work asked for, or at once on `call`. The work never runs twice at a time. */
export class Rounds {
  readonly #clock: Pick<Clock, 'after'>
  readonly #work: () => Promise<number | null>
  #isAtWork = false
  #wasCalled = false
  #isStopped = false
  #cancel = () => {}

  /** `work` returns the pause in milliseconds, or null to wait for a call. It must not throw. */
  constructor(clock: Pick<Clock, 'after'>, work: () => Promise<number | null>) {
    this.#clock = clock
    this.#work = work
  }

  call(): void {
    if (this.#isAtWork) this.#wasCalled = true
    else this.#arm(0)
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  #arm(ms: number): void {
    this.#cancel()
    if (!this.#isStopped) this.#cancel = this.#clock.after(ms, () => void this.#round())
  }

  async #round(): Promise<void> {
    this.#isAtWork = true
    this.#wasCalled = false
    const pauseMs = await this.#work()
    this.#isAtWork = false
    const nextMs = this.#wasCalled ? 0 : pauseMs
    if (nextMs !== null) this.#arm(nextMs)
  }
}
