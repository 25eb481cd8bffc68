// Owns which requests over TCP are looked at at all: those that ask for this daemon by one of its names, and do not come
// from another web page, unless the user named it. Names stop DNS rebinding; origins stop what other pages send in the name
// of our reader.
import { isIP } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import { HoldfastError } from '../../domain/errors.ts'
import { isLoopback } from '../../domain/names/loopback.ts'
import { printable } from '../../domain/names/names.ts'
import type { ServerContext } from '../context.ts'
import { callerInside, incomingOf, isTcp } from '../via.ts'
import { checkNamedPage, isNamedPage, isPreflight, preflightAnswer } from './other-origins.ts'

export const guardTcp =
  (context: Pick<ServerContext, 'door' | 'hosts' | 'origins'>): MiddlewareHandler =>
  async (c, next) => {
    // What the daemon asks itself was looked at before.
    if (isTcp(c) && callerInside(c) === undefined) {
      const host = checkHost(c, context)
      if (!isOwnPage(c, host) && isNamedPage(c, context)) {
        if (isPreflight(c)) return preflightAnswer(c)
        checkNamedPage(c)
      } else {
        checkOrigin(c, host)
        checkSite(c)
      }
    }
    await next()
  }

/** Safe methods change nothing, so that a browser may send them from anywhere. A WebSocket is none, whatever it says. */
export const isUnsafe = (c: Context) =>
  !['GET', 'HEAD', 'OPTIONS'].includes(c.req.method) || c.req.header('upgrade') !== undefined

/** The name that was asked for, with its port. */
function checkHost(c: Context, { door, hosts }: Pick<ServerContext, 'door' | 'hosts'>): string {
  const incoming = incomingOf(c)
  const named = incoming?.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  const host = (incoming?.headers.host ?? '').toLowerCase()
  const name = /^(\[[0-9a-f:.]+\]|[^:]*)(:\d{1,5})?$/.exec(host)?.[1] ?? ''
  if (named?.length === 1 && incoming?.url?.startsWith('/') && isOwnName(name)) return host
  throw refused(`The request asks for '${printable(host, 100)}', which is not a name of this daemon.`)

  /** Where other machines may come in, they do so by an address. No other site can have an address for its name. */
  function isOwnName(name: string): boolean {
    if (isLoopback(name) || hosts.includes(name)) return true
    const { open } = door.state()
    return open !== null && !isLoopback(open.host) && isIP(name.replace(/^\[|\]$/g, '')) !== 0
  }
}

function checkOrigin(c: Context, host: string): void {
  const origin = c.req.header('origin')
  if (origin === undefined || isOwnPage(c, host)) return
  throw refused(`The request comes from another site: ${printable(origin, 100)}.`)
}

const isOwnPage = (c: Context, host: string) =>
  [`http://${host}`, `https://${host}`].includes((c.req.header('origin') ?? '').toLowerCase())

/** Another site may link to the page, and no more. Another port of the same name counts as another site. */
function checkSite(c: Context): void {
  const site = c.req.header('sec-fetch-site')
  if (site === undefined || site === 'same-origin' || site === 'none') return
  const isLink = c.req.method === 'GET' && c.req.header('sec-fetch-dest') === 'document'
  if (isLink && !c.req.path.startsWith('/api/')) return
  throw refused('The request comes from another site.')
}

/**
 * A request with a cookie could have been sent by any page, unless it shows that it was not: by its origin, and by a
 * header that other pages may not set. A WebSocket cannot have such a header.
 */
export function checkOwnPage(c: Context, header: string): void {
  if (!isUnsafe(c)) return
  const isOwn = c.req.header('origin') !== undefined
  const hasHeader = c.req.header(header) !== undefined || c.req.header('upgrade') !== undefined
  if (!isOwn || !hasHeader)
    throw refused(
      `A request with a cookie needs the headers 'origin' and '${header}', as the page sends them.`,
    )
}

const refused = (message: string) => new HoldfastError('CROSS_SITE_REFUSED', message)
