/** More at once would gain nothing, because the system calls share four threads; and each work holds a few descriptors. */
const MOST_AT_ONCE = 32

/** Work on one key is done one at a time, in its order. Work on different keys is done at once, up to `MOST_AT_ONCE`. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>()
  readonly #working = new Set<string>()
  readonly #waiting: (() => void)[] = []
  #free = MOST_AT_ONCE

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(() => this.#withSlot(key, work))
    const over = mine.then(
      () => {},
      () => {},
    )
    this.#last.set(key, over)
    try {
      return await mine
    } finally {
      if (this.#last.get(key) === over) this.#last.delete(key)
    }
  }

  isAtWork = (key: string) => this.#working.has(key)

  async #withSlot<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((go) => this.#waiting.push(go))
    this.#working.add(key)
    try {
      return await work()
    } finally {
      this.#working.delete(key)
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
