// Owns an order for many tasks: carried out a few at a time, with room for everything else in between.
// It goes on when nobody listens any more, and stops between two tasks when the daemon stops.
import { setImmediate as letOthersWork } from 'node:timers/promises'
import { asHoldfastError, type HoldfastError } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'

/** Orders that are stored and shown at the same time. What they set going is not counted. */
const AT_ONCE = 8

export type BulkOrder<Result> = {
  readonly ids: readonly TaskId[]
  /** Resolves when the order is stored, with what is left to wait for. */
  readonly give: (id: TaskId) => Promise<() => Promise<Result>>
  readonly onDone: (id: TaskId, result: Result) => void
  readonly onFailed: (id: TaskId, error: HoldfastError) => void
}

/** Resolves when all are done, or `stopping` is. False: the daemon stops, and some were not even ordered. */
export async function carryOutAll<Result>(order: BulkOrder<Result>, stopping: AbortSignal): Promise<boolean> {
  const left = order.ids.values()
  const going: Promise<void>[] = []
  const lane = async () => {
    for (const id of left) {
      if (stopping.aborted) return
      await order.give(id).then(
        (wait) => void going.push(settled(id, wait, order)),
        (error) => order.onFailed(id, asHoldfastError(error)),
      )
      await letOthersWork()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  if (stopping.aborted) return false
  await Promise.race([Promise.all(going), aborted(stopping)])
  return !stopping.aborted
}

const settled = <Result>(id: TaskId, wait: () => Promise<Result>, order: BulkOrder<Result>) =>
  wait().then(
    (result) => order.onDone(id, result),
    (error) => order.onFailed(id, asHoldfastError(error)),
  )

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
