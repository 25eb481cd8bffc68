// Owns telling the other daemons on the same store that this one is alive.
import type { Clock } from '../ports/clock.ts'
import type { NodeSigns } from '../ports/store/nodes.ts'

/** A few may be lost before others say that they hear nothing of this node. */
const EVERY_MS = 5000

/** Returns how it is stopped. A sign that cannot be written is given up: others then rightly hear nothing. */
export function giveSigns(store: NodeSigns, clock: Pick<Clock, 'after'>): () => void {
  let cancel = () => {}
  let isStopped = false
  const arm = () => {
    if (!isStopped)
      cancel = clock.after(
        EVERY_MS,
        () =>
          void store
            .giveSign()
            .catch(() => {})
            .finally(arm),
      )
  }
  arm()
  return () => {
    isStopped = true
    cancel()
  }
}
