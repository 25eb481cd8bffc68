// Owns how a browser is let in: a link that works once becomes a cookie, and the address bar no longer shows the code.
import { type Context, Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { HoldfastError } from '../../domain/errors.ts'
import type { WebPass } from '../../ports/web-keys.ts'
import type { ServerContext, Uses } from '../context.ts'
import { isTcp } from '../via.ts'
import type { TcpLimits } from './tcp-limits.ts'

type Needs = Pick<ServerContext, 'keys' | 'about'>

/** Cookies do not know ports: each daemon has a name of its own, so that two pages in one browser do not meet. */
const cookieName = ({ node_id }: Pick<ServerContext['about'], 'node_id'>) =>
  `holdfast_${node_id.replace(/-/g, '').slice(0, 12)}`

export function cookiePass(c: Context, { keys, about }: Needs): WebPass | undefined {
  const secret = getCookie(c, cookieName(about))
  return secret === undefined ? undefined : keys.passOf('page', secret)
}

export function loginRoutes(context: Uses<'audit', 'keys' | 'about'> & { readonly limits: TcpLimits }): Hono {
  const { desk, keys, about, limits } = context
  const routes = new Hono()

  routes.get('/', async (c) => {
    if (!isTcp(c)) throw new HoldfastError('INVALID_REQUEST', 'Links are opened in a browser, over TCP.')
    // A browser or a chat program that only looks ahead must not use up the link.
    if (c.req.method !== 'GET' || /prefetch|preview/.test(purposeOf(c))) return c.body(null, 204)
    const login = await keys.redeem(c.req.query('code') ?? '')
    if (login !== undefined) {
      setCookie(c, cookieName(about), login.secret, {
        httpOnly: true,
        sameSite: 'Strict',
        path: '/',
        maxAge: keys.cookieSeconds,
      })
      await desk.audit.add('web_login', { kind: 'person', name: login.name }, 'opened the page')
    } else if (cookiePass(c, context) === undefined) {
      limits.ofFailed(c)
      throw new HoldfastError('LOGIN_LINK_VOID', 'This link was used before, or is too old.')
    }
    return c.redirect('/', 303)
  })

  return routes
}

const purposeOf = (c: Context) => `${c.req.header('sec-purpose') ?? ''} ${c.req.header('purpose') ?? ''}`
