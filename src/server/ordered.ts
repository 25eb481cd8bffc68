// Owns giving an order for a caller: the order is stored, carried out by the task's node, and waited for.
import type { Context } from 'hono'
import type { OrderRequest } from '../supervisor/desk.ts'
import { callerOf } from './caller.ts'
import type { Uses } from './context.ts'
import { keyOf } from './request-key.ts'

/** Resolves when the order is settled. False when there was nothing to do any more. */
export async function ordered(
  c: Context,
  request: Omit<OrderRequest, 'by' | 'key'>,
  { desk }: Uses<'orders'>,
): Promise<boolean> {
  const settled = await desk.orders.give({ ...request, by: callerOf(c).name, key: keyOf(c) })
  return settled()
}
