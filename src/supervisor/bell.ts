/** Wakes those who wait for news of a key. A ring is only a hint: the listener looks for itself. */
export class Bell {
  readonly #listeners = new Map<string, Set<() => void>>()

  on(key: string, listener: () => void): () => void {
    const all = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, all.add(listener))
    return () => {
      all.delete(listener)
      if (all.size === 0 && this.#listeners.get(key) === all) this.#listeners.delete(key)
    }
  }

  ring(key: string): void {
    for (const listener of [...(this.#listeners.get(key) ?? [])]) listener()
  }
}
