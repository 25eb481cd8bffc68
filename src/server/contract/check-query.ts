// Owns that a request has only query fields that its route knows: a filter that is spelled wrong would match everything.
import type { MiddlewareHandler } from 'hono'
import { HoldfastError } from '../../domain/errors.ts'
import { printable } from '../../domain/names/names.ts'
import { nearest } from '../../domain/names/nearest.ts'
import type { Route } from '../../protocol/api.ts'
import { routeMatcher } from '../match-route.ts'
import { operations } from './openapi.ts'

const matchRoute = routeMatcher(Object.keys(operations) as Route[])

export const checkQuery: MiddlewareHandler = async (c, next) => {
  const route = matchRoute(c.req.method === 'HEAD' ? 'GET' : c.req.method, c.req.path)
  if (route !== undefined) checkFields(Object.keys(c.req.query()), Object.keys(operations[route].query ?? {}))
  await next()
}

function checkFields(given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const guess = nearest(unknown.slice(0, 80), known)
  const hint = guess === undefined ? '' : ` Did you mean '${guess}'?`
  const knows = known.length === 0 ? 'knows no query fields' : `knows ${known.join(', ')}`
  throw new HoldfastError(
    'INVALID_REQUEST',
    `'${printable(unknown, 60)}' is no query field of this address.${hint} It ${knows}.`,
  )
}
