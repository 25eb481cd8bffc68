// Owns how orders are written and read.

import type { OrderId, TaskId } from '../../domain/names/ids.ts'
import type { Order } from '../../domain/task/order.ts'

export interface OrderReads {
  order(id: OrderId): Promise<Order | undefined>
  /** The order of this task that was given with this key. */
  orderWithKey(taskId: TaskId, key: string): Promise<Order | undefined>
  /** Newest first. */
  ordersOf(taskId: TaskId, most: number): Promise<Order[]>
  /** The orders for this node's tasks that are not settled, oldest first. */
  openOrders(): Promise<Order[]>
  /** How many moves the task has made; undefined when there is no such task. */
  taskVersion(id: TaskId): Promise<number | undefined>
}
