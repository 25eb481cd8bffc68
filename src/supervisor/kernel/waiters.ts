import type { Committed } from '../../ports/store-changes.ts'
import type { JournalListener } from './journal.ts'

/** Wakes those who wait for news of a task, or for messages of a thread. It is only a hint: who is woken looks for itself. */
export class Waiters implements JournalListener {
  readonly name = 'waiters'
  readonly #waiting = new Map<string, Set<() => void>>()

  hear({ tasks, events }: Committed): void {
    for (const id of tasks) this.wake(id)
    for (const event of events) if (event.kind === 'message_posted') this.wake(event.data.thread)
    this.wake(EVERYTHING)
  }

  /** `key`: the id of a task or a thread, or EVERYTHING. */
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
