import { withAuditOfEnd } from '../../changes/with-audit-of-end.ts'
import type { Commits } from '../../ports/store.ts'
import type { Change, Committed } from '../../ports/store-changes.ts'

/** One that follows what is committed. It is called at once and in order; what takes time it does later. */
export type JournalListener = { readonly name: string; hear(committed: Committed): void }

type Needs = {
  readonly store: Commits
  /** Brings what the core has at hand up to what is stored, before anybody goes on. */
  readonly follow: (committed: Committed, change: Change) => Promise<void>
  readonly onError: (listener: string, error: unknown) => void
}

/** The only way of the core to write. Everything that follows a change hears of it here. */
export class Journal {
  readonly #needs: Needs
  readonly #listeners: JournalListener[] = []

  constructor(needs: Needs) {
    this.#needs = needs
  }

  listen(listener: JournalListener): void {
    this.#listeners.push(listener)
  }

  commit = async (change: Change): Promise<Committed> =>
    this.#publish(await this.#needs.store.commit(withAuditOfEnd(change)), change)

  /** A power cut may undo it: for what it would undo anyway. */
  commitSoon = async (change: Change): Promise<Committed> =>
    this.#publish(await this.#needs.store.commitSoon(withAuditOfEnd(change)), change)

  async #publish(committed: Committed, change: Change): Promise<Committed> {
    try {
      await this.#needs.follow(committed, change)
      return committed
    } finally {
      // It is stored: whatever happened to the copy at hand, those who follow hear of it.
      for (const listener of this.#listeners) this.#tell(listener, committed)
    }
  }

  #tell(listener: JournalListener, committed: Committed): void {
    try {
      listener.hear(committed)
    } catch (error) {
      this.#needs.onError(listener.name, error)
    }
  }
}
