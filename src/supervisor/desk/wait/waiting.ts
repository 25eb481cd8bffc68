// Owns waiting for news of a task. News is only a hint that something may have changed: whoever is woken has to look.
import type { TaskId } from '../../../domain/names/ids.ts'
import { EVERYTHING } from '../../kernel/waiters.ts'
import type { Core } from '../../task/core.ts'
import { NewsOfTasks } from './news-of-tasks.ts'

type Bells = Pick<Core, 'waiters' | 'clock'>

export const waitingDesk = (core: Bells) => ({
  /** Resolves when there was news of the task, the time is up, or the signal was aborted. */
  async forNews(id: TaskId, ms: number, signal: AbortSignal): Promise<void> {
    const news = new NewsOfTasks([id], core)
    await news.next(ms, signal)
    news.close()
  },
  /** For a reader that must not miss news between two looks, of one task or of all. The caller has to close it. */
  newsOf: (id: TaskId | undefined): NewsOfTasks => new NewsOfTasks([id ?? EVERYTHING], core),
})

/** Checks at once, and again at every news of the task. False when the check was not met within `patienceMs`. */
export function until(
  id: TaskId,
  check: () => Promise<boolean>,
  patienceMs: number,
  { waiters, clock }: Bells,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const stopWaiting = () => {
      off()
      cancel()
    }
    const finish = (met: boolean) => {
      stopWaiting()
      resolve(met)
    }
    const fail = (error: unknown) => {
      stopWaiting()
      reject(error)
    }
    const look = () => void check().then((met) => met && finish(true), fail)
    const off = waiters.on(id, look)
    const cancel = clock.after(patienceMs, () => finish(false))
    look()
  })
}
