// Owns waiting for news of a task. News are a hint: who hears them looks for itself.
import type { TaskId } from '../../domain/names/ids.ts'
import { EVERYTHING } from '../kernel/waiters.ts'
import type { Core } from '../task/core.ts'
import { Rings } from './rings.ts'

type Bells = Pick<Core, 'waiters' | 'clock'>

export const waitingDesk = (core: Bells) => ({
  /** Resolves when something may have changed: there was news of the task, the time is up, or the signal came. */
  async forNews(id: TaskId, ms: number, signal: AbortSignal): Promise<void> {
    const rings = new Rings([id], core)
    await rings.next(ms, signal)
    rings.close()
  },
  /** For a reader that must hear of everything between two looks, of one task or of all. To be closed. */
  rings: (id: TaskId | undefined): Rings => new Rings([id ?? EVERYTHING], core),
})

/** Looks at every news of the task. False when patience ran out first. */
export function until(
  id: TaskId,
  check: () => Promise<boolean>,
  patienceMs: number,
  { waiters, clock }: Bells,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const finish = (met: boolean) => {
      off()
      cancel()
      resolve(met)
    }
    const look = () => void check().then((met) => met && finish(true), reject)
    const off = waiters.on(id, look)
    const cancel = clock.after(patienceMs, () => finish(false))
    look()
  })
}
