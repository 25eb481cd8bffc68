/** Who is on the way to something urgent. What is not urgent waits until nobody is. */
export class EndsInFlight {
  readonly #inside = new Set<string>()
  #waiting: (() => void)[] = []

  enter(key: string): void {
    this.#inside.add(key)
  }

  leave(key: string): void {
    if (!this.#inside.delete(key) || this.#inside.size > 0) return
    for (const go of this.#waiting.splice(0)) go()
  }

  get isEmpty(): boolean {
    return this.#inside.size === 0
  }

  async empty(): Promise<void> {
    while (!this.isEmpty) await new Promise<void>((go) => this.#waiting.push(go))
  }
}
