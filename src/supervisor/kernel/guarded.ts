import { isHoldfastError, messageOf } from '../../domain/errors.ts'
import type { Log } from '../../ports/log.ts'

/** Does the work; never throws. `what` is what the log says has failed. */
export type Guarded = (what: string, work: () => Promise<unknown>) => Promise<void>

/** An error of one task must not stop the others: it is logged, and a later tick tries again. */
export const guardedBy =
  (log: Pick<Log, 'error'>): Guarded =>
  async (what, work) => {
    try {
      await work()
    } catch (error) {
      const stack = isHoldfastError(error) || !(error instanceof Error) ? undefined : error.stack
      log.error(`${what} failed`, { error: messageOf(error), stack })
    }
  }
