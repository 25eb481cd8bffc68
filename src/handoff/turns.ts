/** More at once would gain nothing: the system calls share four threads. And each holds a few descriptors. */
const MOST_AT_ONCE = 32

/** Work on one key happens one at a time, in the order it was asked for; keys only share the number of hands. */
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
