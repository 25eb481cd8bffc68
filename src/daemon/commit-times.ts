// Owns measuring the commits to the store. The store is opened before there is anybody to tell.
import { isHoldfastError } from '../domain/errors.ts'
import type { Store } from '../ports/store/store.ts'
import { systemClock } from '../system/clock.ts'

type Told = { committed(tookMs: number, outcome: 'done' | 'refused' | 'failed'): void }

export class CommitTimes {
  #told: Told | undefined

  to(told: Told): void {
    this.#told = told
  }

  /** The same store, with its commits measured. */
  around(store: Store): Store {
    return { ...store, commit: this.#measured(store.commit), commitSoon: this.#measured(store.commitSoon) }
  }

  #measured<Change, Committed>(
    commit: (change: Change) => Promise<Committed>,
  ): (change: Change) => Promise<Committed> {
    return async (change) => {
      const from = systemClock.monotonic()
      const tell = (outcome: 'done' | 'refused' | 'failed') =>
        this.#told?.committed(systemClock.monotonic() - from, outcome)
      try {
        const committed = await commit(change)
        tell('done')
        return committed
      } catch (error) {
        // A decision that came too late is the store at work, not its failure.
        tell(
          isHoldfastError(error) && !isHoldfastError(error, 'DISK_FULL', 'STORE_LOCKED', 'STORE_UNREACHABLE')
            ? 'refused'
            : 'failed',
        )
        throw error
      }
    }
  }
}
