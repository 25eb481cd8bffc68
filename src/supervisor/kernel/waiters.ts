import type { Committed } from '../../ports/store-changes.ts'
import type { JournalListener } from './journal.ts'

/** Wakes everybody who waits for news of a task. News is only a hint: whoever is woken has to look at the store. */
export class Waiters implements JournalListener {
  readonly name = 'waiters'
  readonly #waiting = new Map<string, Set<() => void>>()

  hear({ tasks }: Committed): void {
    for (const id of tasks) this.wake(id)
    this.wake(EVERYTHING)
  }

  /** `key`: a task's id, or EVERYTHING. Returns a function that ends the waiting. */
  on(key: string, waiter: () => void): () => void {
    const all = this.#waiting.get(key) ?? new Set()
    this.#waiting.set(key, all.add(waiter))
    return () => {
      all.delete(waiter)
      if (all.size === 0 && this.#waiting.get(key) === all) this.#waiting.delete(key)
    }
  }

  /** Called directly for news that is not stored. */
  wake(key: string): void {
    for (const waiter of [...(this.#waiting.get(key) ?? [])]) waiter()
  }
}

/** The key of waiters that every commit wakes. */
export const EVERYTHING = 'everything'
