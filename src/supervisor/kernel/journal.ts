import { withAuditOfEnd } from '../../changes/with-audit-of-end.ts'
import { withoutSecrets } from '../../changes/without-secrets.ts'
import type { Change, Commits, Committed } from '../../ports/store/commits.ts'

/** Hears every commit, at once and in order. `hear` must return quickly: slow work is done later. */
export type JournalListener = { readonly name: string; hear(committed: Committed): void }

type Needs = {
  readonly store: Commits
  /** Updates the core's copies in memory, before `commit` resolves. */
  readonly follow: (committed: Committed, change: Change) => Promise<void>
  readonly onError: (listener: string, error: unknown) => void
}

const asStored = (change: Change) => withoutSecrets(withAuditOfEnd(change))

/** The only way in which the core writes to the store. Its listeners hear of every change. */
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
    this.#publish(await this.#needs.store.commit(asStored(change)), change)

  /** Does not wait for the disk, so a power cut may undo the commit. For what a power cut would undo anyway. */
  commitSoon = async (change: Change): Promise<Committed> =>
    this.#publish(await this.#needs.store.commitSoon(asStored(change)), change)

  async #publish(committed: Committed, change: Change): Promise<Committed> {
    try {
      await this.#needs.follow(committed, change)
      return committed
    } finally {
      // The change is stored, so listeners hear of it even if the copies in memory could not be updated.
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
