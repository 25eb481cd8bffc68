import type { TaskId } from '../domain/ids.ts'
import type { Clock } from '../ports/clock.ts'

const PAUSE_MS = 200
const LONGEST_WAIT_MS = 10_000

type Needs = {
  readonly clock: Pick<Clock, 'after' | 'monotonic'>
  /** Tasks are being started: most of those that wait here are about to change again. */
  readonly isBusy: () => boolean
  readonly show: (id: TaskId) => Promise<void>
}

/**
 * Tasks whose files may follow the store a moment later. One that goes on at once changes three times within that
 * moment; its files are written once, by whoever shows it next.
 */
export class LaterShows {
  readonly #needs: Needs
  /** With the time by which it has to be shown. */
  readonly #waiting = new Map<TaskId, number>()
  #cancel: (() => void) | undefined

  constructor(needs: Needs) {
    this.#needs = needs
  }

  add(id: TaskId): void {
    if (!this.#waiting.has(id)) this.#waiting.set(id, this.#needs.clock.monotonic() + LONGEST_WAIT_MS)
    this.#arm()
  }

  has(id: TaskId): boolean {
    return this.#waiting.has(id)
  }

  /** Somebody shows it now. */
  remove(id: TaskId): void {
    this.#waiting.delete(id)
  }

  /** Shows all at once, and waits for it. */
  async flush(): Promise<void> {
    this.#cancel?.()
    this.#cancel = undefined
    await this.#show([...this.#waiting.keys()])
  }

  #arm(): void {
    if (this.#cancel !== undefined || this.#waiting.size === 0) return
    this.#cancel = this.#needs.clock.after(PAUSE_MS, () => {
      this.#cancel = undefined
      void this.#show(this.#due()).then(() => this.#arm())
    })
  }

  #due(): TaskId[] {
    const now = this.#needs.clock.monotonic()
    const all = [...this.#waiting]
    return (this.#needs.isBusy() ? all.filter(([, latest]) => latest <= now) : all).map(([id]) => id)
  }

  async #show(ids: readonly TaskId[]): Promise<void> {
    for (const id of ids) if (this.#waiting.delete(id)) await this.#needs.show(id)
  }
}
