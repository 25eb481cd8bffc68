// Owns the listeners for events of the server. A listener that throws does not keep the others from being called.
import { messageOf } from '../../domain/errors.ts'
import type { Log } from '../../ports/log.ts'
import type { TerminalEvent } from '../../ports/run/terminal.ts'

export class Listeners {
  readonly #all = new Set<(event: TerminalEvent) => void>()
  readonly #log: Log | undefined

  constructor(log: Log | undefined) {
    this.#log = log
  }

  add(listener: (event: TerminalEvent) => void): () => void {
    this.#all.add(listener)
    return () => this.#all.delete(listener)
  }

  emit(event: TerminalEvent): void {
    for (const listener of this.#all)
      try {
        listener(event)
      } catch (error) {
        this.#log?.error('a listener failed', { event: event.kind, error: messageOf(error) })
      }
  }

  /** Waits for `work`, but no longer than until one of these events occurs. */
  async waitUnless(work: Promise<void> | undefined, ...kinds: TerminalEvent['kind'][]): Promise<void> {
    let off = () => {}
    const told = new Promise<void>((resolve) => {
      off = this.add(({ kind }) => kinds.includes(kind) && resolve())
    })
    await Promise.race([work, told]).finally(off)
  }
}
