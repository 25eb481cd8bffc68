// Owns waiting for news of several tasks at once. News that comes between two calls of `next` is not lost.
import type { Core } from '../../task/core.ts'

export class NewsOfTasks {
  readonly #clock: Core['clock']
  readonly #withNews = new Set<string>()
  readonly #off: readonly (() => void)[]
  #wake = () => {}

  constructor(keys: readonly string[], { waiters, clock }: Pick<Core, 'clock' | 'waiters'>) {
    this.#clock = clock
    this.#off = keys.map((key) =>
      waiters.on(key, () => {
        this.#withNews.add(key)
        this.#wake()
      }),
    )
  }

  /** Returns the keys that had news since the last call, as soon as there is one; none when the time is up or the signal is aborted. */
  async next(ms: number, signal: AbortSignal): Promise<string[]> {
    if (this.#withNews.size === 0 && !signal.aborted)
      await new Promise<void>((resolve) => {
        const done = () => {
          cancel()
          signal.removeEventListener('abort', done)
          resolve()
        }
        const cancel = this.#clock.after(ms, done)
        this.#wake = done
        signal.addEventListener('abort', done)
      })
    const keys = [...this.#withNews]
    this.#withNews.clear()
    return keys
  }

  close(): void {
    for (const off of this.#off) off()
  }
}
