import type { Committed } from '../../ports/store/commits.ts'
import type { JournalListener } from './journal.ts'

/** Wakes everybody who waits for news of a task, or for messages of a thread. News is only a hint: whoever is woken has to look at the store. */
export class Waiters implements JournalListener {
  readonly name = 'waiters'
  readonly #waiting = new Map<string, Set<() => void>>()

  hear({ tasks, events }: Committed): void {
    for (const id of tasks) this.wake(id)
    for (const event of events) if (event.kind === 'message_posted') this.wake(event.data.thread)
    this.wake(EVERYTHING)
  }

  /** `key`: the id of a task or of a thread, or EVERYTHING. Returns a function that ends the waiting. */
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
