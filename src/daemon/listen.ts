// Owns the unix socket. Only the lock's holder comes here, so what lies at the path is stale.
import { chmodSync, renameSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'

/** Bound under another name first: when the socket appears, nobody but its owner may connect. */
export async function listen(app: Hono, socket: string): Promise<Server> {
  const fresh = `${socket}.new`
  rmSync(fresh, { force: true })
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(fresh, () => resolve())
  })
  chmodSync(fresh, 0o600)
  renameSync(fresh, socket)
  return server
}

/** Streams have been told to end; idle connections are closed, busy ones may answer. */
export async function stopListening(server: Server, socket: string): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const impatience = setTimeout(() => server.closeAllConnections(), 1000)
  await closed
  clearTimeout(impatience)
  rmSync(socket, { force: true })
}
