// Owns what web pages of other origins may do that the user named in `server.origins`: ask the HTTP API with a token. A
// cookie never counts for them, and they open no WebSocket: a browser sends no token with one.
import type { Context, MiddlewareHandler } from 'hono'
import { HoldfastError } from '../../domain/errors.ts'
import { HEADER_FROM, HEADER_KEY, HEADER_PLACE, HEADER_VERSION } from '../../protocol/headers.ts'
import type { ServerContext } from '../context.ts'
import { isTcp } from '../via.ts'

type Needs = Pick<ServerContext, 'origins'>

const METHODS = 'GET, POST, DELETE'
const ASKED_WITH = ['authorization', 'content-type', 'last-event-id', HEADER_KEY, HEADER_VERSION].join(', ')
const ANSWERED_WITH = ['retry-after', HEADER_VERSION, HEADER_PLACE, HEADER_FROM].join(', ')
const REMEMBER_SECONDS = '600'

/** Lets a named page read the answers to its requests, refusals too. */
export const otherOrigins =
  (context: Needs): MiddlewareHandler =>
  async (c, next) => {
    await next()
    if (!isTcp(c) || context.origins.length === 0) return
    // Whatever is kept of an answer is not for a page of another origin.
    c.header('vary', 'Origin', { append: true })
    if (!isNamedPage(c, context)) return
    c.header('access-control-allow-origin', c.req.header('origin'))
    c.header('access-control-expose-headers', ANSWERED_WITH)
  }

/** Only the API: no file of the page, no link, no tools. A WebSocket is refused like that of any other page. */
export const isNamedPage = (c: Context, { origins }: Needs) =>
  origins.includes(c.req.header('origin') ?? '') &&
  c.req.path.startsWith('/api/') &&
  c.req.header('upgrade') === undefined

/** A browser asks so what a page may send, before it sends it. */
export const isPreflight = (c: Context) =>
  c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined

export function preflightAnswer(c: Context): Response {
  c.header('access-control-allow-methods', METHODS)
  c.header('access-control-allow-headers', ASKED_WITH)
  c.header('access-control-max-age', REMEMBER_SECONDS)
  return c.body(null, 204)
}

export function checkNamedPage(c: Context): void {
  if (c.req.header('authorization') === undefined)
    throw new HoldfastError(
      'LOGIN_REQUIRED',
      'A page of another origin needs a token: a cookie does not count.',
    )
}
