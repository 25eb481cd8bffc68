import type { Clock } from '../../ports/clock.ts'

/** Repeats some work: after the pause that the work asked for, or at once on `runNow`. The work never runs twice at a time. */
export class RepeatedWork {
  readonly #clock: Pick<Clock, 'after'>
  readonly #work: () => Promise<number | null>
  #isAtWork = false
  #mustRunAgain = false
  #isStopped = false
  #cancel = () => {}

  /** `work` returns the pause in milliseconds, or null to wait for `runNow`. It must not throw. */
  constructor(clock: Pick<Clock, 'after'>, work: () => Promise<number | null>) {
    this.#clock = clock
    this.#work = work
  }

  runNow(): void {
    if (this.#isAtWork) this.#mustRunAgain = true
    else this.#arm(0)
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  #arm(ms: number): void {
    this.#cancel()
    if (!this.#isStopped) this.#cancel = this.#clock.after(ms, () => void this.#runOnce())
  }

  async #runOnce(): Promise<void> {
    this.#isAtWork = true
    this.#mustRunAgain = false
    const pauseMs = await this.#work()
    this.#isAtWork = false
    const nextMs = this.#mustRunAgain ? 0 : pauseMs
    if (nextMs !== null) this.#arm(nextMs)
  }
}
