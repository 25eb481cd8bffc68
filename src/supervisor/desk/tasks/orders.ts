// Owns orders on behalf of other rooms: giving them, and reading what became of them.
import type { TaskId } from '../../../domain/names/ids.ts'
import type { Config } from '../../../domain/settings/config.ts'
import type { Order } from '../../../domain/task/order.ts'
import type { Task } from '../../../domain/task/task.ts'
import { driverOf } from '../../../ports/run/driver-of.ts'
import type { OrderReads } from '../../../ports/store/orders.ts'
import type { Reads } from '../../../ports/store/store.ts'
import type { OrderBook, OrderRequest, WhenSettled } from '../../orders/order-book.ts'
import { agentEnv } from '../../starting/agent-env.ts'
import type { Core } from '../../task/core.ts'

type Env = Readonly<Record<string, string>>

export const ordersDesk = (book: OrderBook, core: Pick<Core, 'driver'> & Reads<OrderReads>) => ({
  /** Resolves when the order is stored. */
  give: (request: OrderRequest): Promise<WhenSettled> => book.give(request),

  /** The task's orders, newest first. */
  listOf: (id: TaskId, most: number): Promise<Order[]> => core.store.ordersOf(id, most),

  /**
   * The environment for an ended task that is brought back: the task's own is deleted, so the caller's is used. It is
   * filtered as when the task was created; variables that the task had then are let through.
   */
  envForEnded(task: Task, env: Env, config: Config): Env {
    const had = Object.entries(env).filter(([name]) => task.snapshot.envNames.includes(name))
    return agentEnv({ callerEnv: env, setEnv: Object.fromEntries(had) }, driverOf(task, core), config)
  },
})
