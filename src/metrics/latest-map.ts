/** A map that forgets what was set longest ago when it has too many entries. */
export class LatestMap<Key, Value> {
  readonly #most: number
  readonly #entries = new Map<Key, Value>()

  constructor(most: number) {
    this.#most = most
  }

  get = (key: Key): Value | undefined => this.#entries.get(key)
  delete = (key: Key): boolean => this.#entries.delete(key)

  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#most) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }
}
