import { isEnded } from '../../../domain/task/machine.ts'
import type { Held } from './board-model.ts'

/** The lines about the selected session have ages in them, which grow though nothing happens. */
const LOOK_AGAIN_MS = 5_000

/** Nothing is known of it alone, or what is known was told a while ago. What has ended stays as it is. `now`: monotonic. */
export function isToBeLookedAt(held: Held | undefined, now: number): boolean {
  if (held === undefined) return false
  if (held.detail === null) return true
  return !isEnded(held.row.task_status) && now - held.detailAt >= LOOK_AGAIN_MS
}
