// Owns an order for many tasks: it is given to a few at a time, and the daemon can do other work in between.
// The order goes on when its client is gone, and stops between two tasks when the daemon stops.
import { setImmediate as letOthersWork } from 'node:timers/promises'
import { asHoldfastError, type HoldfastError } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'

/** How many orders are stored at the same time. Carrying them out is not counted. */
const AT_ONCE = 8

export type BulkOrder<Result> = {
  readonly ids: readonly TaskId[]
  /** Resolves when the order is stored, with a function that waits for its result. */
  readonly give: (id: TaskId) => Promise<() => Promise<Result>>
  readonly onDone: (id: TaskId, result: Result) => void
  readonly onFailed: (id: TaskId, error: HoldfastError) => void
}

/**
 * Resolves when all orders are settled, or when the daemon stops. False: the daemon stops, and some may not be settled.
 */
export async function carryOutAll<Result>(order: BulkOrder<Result>, stopping: AbortSignal): Promise<boolean> {
  const left = order.ids.values()
  const going: Promise<void>[] = []
  const lane = async () => {
    for (const id of left) {
      if (stopping.aborted) return
      await order.give(id).then(
        (wait) => void going.push(reportWhenSettled(id, wait, order)),
        (error) => order.onFailed(id, asHoldfastError(error)),
      )
      await letOthersWork()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  if (stopping.aborted) return false
  await unlessAborted(Promise.all(going), stopping)
  return !stopping.aborted
}

const reportWhenSettled = <Result>(id: TaskId, wait: () => Promise<Result>, order: BulkOrder<Result>) =>
  wait().then(
    (result) => order.onDone(id, result),
    (error) => order.onFailed(id, asHoldfastError(error)),
  )

/** Resolves with the work, or when the signal comes. The signal is the daemon's own: nothing is left listening to it. */
async function unlessAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let stop = () => {}
  const aborted = new Promise<void>((resolve) => {
    stop = resolve
    signal.addEventListener('abort', stop)
  })
  await Promise.race([work, aborted])
  signal.removeEventListener('abort', stop)
}
