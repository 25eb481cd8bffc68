import type { Committed } from '../../ports/store-changes.ts'
import type { JournalListener } from './journal.ts'

/** Wakes those who wait for news of a task. It is only a hint: who is woken looks for itself. */
export class Waiters implements JournalListener {
  readonly name = 'waiters'
  readonly #waiting = new Map<string, Set<() => void>>()

  hear({ tasks }: Committed): void {
    for (const id of tasks) this.wake(id)
    this.wake(EVERYTHING)
  }

  /** `key`: a task's id, or EVERYTHING. */
  on(key: string, waiter: () => void): () => void {
    const all = this.#waiting.get(key) ?? new Set()
    this.#waiting.set(key, all.add(waiter))
    return () => {
      all.delete(waiter)
      if (all.size === 0 && this.#waiting.get(key) === all) this.#waiting.delete(key)
    }
  }

  /** For news that is not stored. */
  wake(key: string): void {
    for (const waiter of [...(this.#waiting.get(key) ?? [])]) waiter()
  }
}

/** Whoever waits for this is woken by every commit. */
export const EVERYTHING = 'everything'
