// Owns giving an order for a caller: the order is stored, carried out by the task's node, and waited for.
import type { Context } from 'hono'
import { HoldfastError } from '../domain/errors.ts'
import { HEADER_KEY } from '../protocol/headers.ts'
import type { OrderRequest } from '../supervisor/desk.ts'
import { callerOf } from './caller.ts'
import type { Uses } from './context.ts'

const KEY = /^[\w-]{1,100}$/

/** Resolves when the order is settled. False when there was nothing to do any more. */
export async function ordered(
  c: Context,
  request: Omit<OrderRequest, 'by' | 'key'>,
  { desk }: Uses<'orders'>,
): Promise<boolean> {
  const settled = await desk.orders.give({ ...request, by: callerOf(c).name, key: keyOf(c) })
  return settled()
}

/** What makes a request that comes again the same one. */
export function keyOf(c: Context): string | null {
  const key = c.req.header(HEADER_KEY)
  if (key === undefined || KEY.test(key)) return key ?? null
  throw new HoldfastError('INVALID_REQUEST', `'${HEADER_KEY}' must be 1 to 100 letters, digits, '-' or '_'.`)
}
