// Owns the key of a request: what makes one that comes again the same one.
import type { Context } from 'hono'
import { HoldfastError } from '../domain/errors.ts'
import type { RequestKey } from '../ports/store/request-keys.ts'
import { HEADER_KEY } from '../protocol/headers.ts'
import type { KeyedRoute } from '../protocol/repeats.ts'
import { callerOf } from './caller.ts'
import { digestOf } from './requests/digest.ts'

const KEY = /^[\w-]{1,100}$/

/** Null when the caller gave none. */
export function keyOf(c: Context): string | null {
  const key = c.req.header(HEADER_KEY)
  if (key === undefined || KEY.test(key)) return key ?? null
  throw new HoldfastError('INVALID_REQUEST', `'${HEADER_KEY}' must be 1 to 100 letters, digits, '-' or '_'.`)
}

/** `asked`: all that tells this request from another one of the same route. Undefined when the caller gave no key. */
export function requestKeyOf(
  c: Context,
  route: KeyedRoute,
  asked: Readonly<Record<string, unknown>>,
): RequestKey | undefined {
  const key = keyOf(c)
  return key === null ? undefined : { createdBy: callerOf(c).name, route, key, digest: digestOf(asked) }
}
