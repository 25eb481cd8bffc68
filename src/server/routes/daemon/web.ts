// Owns the TCP port over HTTP: opening and closing it, links for browsers, and tokens for programs.
import { type Context, Hono } from 'hono'
import type { AuditKind } from '../../../domain/names/audit-kinds.ts'
import { hostInUrl, isLoopback } from '../../../domain/names/loopback.ts'
import { checkName } from '../../../domain/names/names.ts'
import { iso } from '../../../domain/task/session-record.ts'
import type { DoorState } from '../../../ports/web-door.ts'
import type { WebToken } from '../../../ports/web-keys.ts'
import type { WebJson, WebLinkJson, WebTokenJson } from '../../../protocol/json/web-json.ts'
import { callerOf } from '../../caller.ts'
import type { Uses } from '../../context.ts'
import { requestKeyOf } from '../../request-key.ts'
import { body, makeTokenSchema, nothingSchema, openWebSchema } from '../../requests/schemas.ts'

export function webRoutes({ desk, door, keys, clock }: Uses<'audit', 'door' | 'keys' | 'clock'>): Hono {
  const routes = new Hono()
  const audit = (c: Context, kind: AuditKind, detail: string) => desk.audit.add(kind, callerOf(c), detail)

  routes.get('/', (c) => c.json(webJson(door.state())))

  routes.post('/', async (c) => {
    const { port, host, allow_remote: allowRemote = false } = await body(c, openWebSchema)
    const before = webJson(door.state())
    const web = webJson(await door.open({ port, host, allowRemote }))
    if (web.address !== before.address) await audit(c, 'web_opened', `${web.host}:${web.port}`)
    return c.json(web)
  })

  routes.delete('/', async (c) => {
    const before = webJson(door.state())
    if (await door.close()) await audit(c, 'web_closed', `${before.host}:${before.port}`)
    return c.json({ closed: before.open, web: webJson(door.state()) })
  })

  routes.post('/links', async (c) => {
    await body(c, nothingSchema)
    const { code, expiresAt } = keys.newCode(callerOf(c).name)
    const link: WebLinkJson = {
      web: webJson(door.state()),
      path: `/open?code=${code}`,
      expires_at: iso(expiresAt),
    }
    return c.json(link)
  })

  routes.get('/tokens', (c) => c.json({ tokens: keys.tokens().map(tokenJson) }))

  routes.post('/tokens', async (c) => {
    const { name, expires_in_seconds: seconds = null } = await body(c, makeTokenSchema)
    const by = callerOf(c).name
    const expiresAt = seconds === null ? null : Math.ceil(clock.now() + seconds * 1000)
    const key = requestKeyOf(c, 'POST /api/web/tokens', { name, seconds })
    const { token, secret, isNew } = await keys.makeToken(checkName('name', name), by, expiresAt, key)
    if (isNew) await audit(c, 'web_token_made', token.name)
    return c.json({ token: tokenJson(token), secret }, 201)
  })

  routes.delete('/tokens/:id', async (c) => {
    const revoked = await keys.revokeToken(c.req.param('id'))
    await audit(c, 'web_token_revoked', revoked.name)
    return c.json({ revoked: tokenJson(revoked) })
  })

  const tokenJson = ({ name, madeAt, madeBy, expiresAt }: WebToken): WebTokenJson => ({
    name,
    made_at: iso(madeAt),
    made_by: madeBy,
    expires_at: expiresAt === null ? null : iso(expiresAt),
    expired: expiresAt !== null && expiresAt <= clock.now(),
  })

  return routes
}

function webJson({ open, trouble }: DoorState): WebJson {
  if (open === null) return { open: false, host: null, port: null, address: null, remote: false, trouble }
  const { host, port } = open
  // A browser on this machine reaches a port that is open to all by the loopback address.
  const near = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const address = `http://${hostInUrl(near)}:${port}`
  return { open: true, host, port, address, remote: !isLoopback(host), trouble }
}
