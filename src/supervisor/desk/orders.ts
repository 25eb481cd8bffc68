// Owns orders on behalf of others: giving them, and seeing what became of them.
import type { TaskId } from '../../domain/names/ids.ts'
import type { Config } from '../../domain/settings/config.ts'
import type { Order } from '../../domain/task/order.ts'
import type { Task } from '../../domain/task/task.ts'
import { driverOf } from '../../ports/driver-of.ts'
import type { OrderReads, Reads } from '../../ports/store.ts'
import type { OrderBook, OrderRequest, WhenSettled } from '../orders/order-book.ts'
import { agentEnv } from '../starting/create-task.ts'
import type { Core } from '../task/core.ts'

type Env = Readonly<Record<string, string>>

export const ordersDesk = (book: OrderBook, core: Pick<Core, 'driver'> & Reads<OrderReads>) => ({
  /** Resolves when the order is stored. */
  give: (request: OrderRequest): Promise<WhenSettled> => book.give(request),

  /** Newest first. */
  of: (id: TaskId, most: number): Promise<Order[]> => core.store.ordersOf(id, most),

  /**
   * What of the caller's environment an ended task is brought back with, because it has none any more. It is filtered like
   * at the task's creation; the names it had then count as asked for.
   */
  envForEnded(task: Task, env: Env, config: Config): Env {
    const had = Object.entries(env).filter(([name]) => task.snapshot.envNames.includes(name))
    return agentEnv({ callerEnv: env, setEnv: Object.fromEntries(had) }, driverOf(task, core), config)
  },
})
