/** The tasks whose end was seen and is not stored yet. Work that is not urgent waits until there is none. */
export class EndsInFlight {
  readonly #taskIds = new Set<string>()
  #waiting: (() => void)[] = []

  enter(taskId: string): void {
    this.#taskIds.add(taskId)
  }

  leave(taskId: string): void {
    if (!this.#taskIds.delete(taskId) || this.#taskIds.size > 0) return
    for (const go of this.#waiting.splice(0)) go()
  }

  get isEmpty(): boolean {
    return this.#taskIds.size === 0
  }

  /** Resolves when no end is in flight. */
  async whenEmpty(): Promise<void> {
    while (!this.isEmpty) await new Promise<void>((go) => this.#waiting.push(go))
  }
}
