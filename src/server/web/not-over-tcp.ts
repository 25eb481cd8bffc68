// Owns what can be done only with the command line: what widens what agents may do, and what concerns the daemon itself.
import type { Context, MiddlewareHandler } from 'hono'
import { HoldfastError } from '../../domain/errors.ts'
import type { Route } from '../../protocol/api.ts'
import { bodyOf } from '../requests/check.ts'
import { isTcp } from '../via.ts'

export const notOverTcp: Readonly<Partial<Record<Route, string>>> = {
  'POST /api/shutdown': 'The daemon is stopped',
  'POST /api/workspaces': 'A directory is allowed',
  'POST /api/trust': "A project's file is approved",
  'POST /api/web': 'The port is opened',
  'DELETE /api/web': 'The port is closed',
  'POST /api/web/links': 'A link is made',
  'POST /api/web/tokens': 'A token is made',
  'DELETE /api/web/tokens/:id': 'A token is revoked',
}
const patterns = Object.entries(notOverTcp).map(([route, what]) => ({
  pattern: new RegExp(`^${route.replace(':id', '[^/]+')}/?$`),
  what,
}))
/** Fields by which a person allows a directory along the way. */
const WIDENING = ['allow_dir', 'allow_wide_dir']

export const refuseOverTcp: MiddlewareHandler = async (c, next) => {
  if (isTcp(c)) check(c)
  await next()
}

function check(c: Context): void {
  const asked = `${c.req.method} ${c.req.path}`
  const found = patterns.find(({ pattern }) => pattern.test(asked))
  if (found !== undefined) throw refused(found.what)
  const body = Object(bodyOf(c)) as Record<string, unknown>
  if (WIDENING.some((field) => body[field] === true)) throw refused('A directory is allowed')
}

const refused = (what: string) =>
  new HoldfastError('ONLY_BY_COMMAND', `${what} only with the command line, on the machine itself.`)
