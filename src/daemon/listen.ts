// Owns the unix socket. Only the lock's holder comes here, so what lies at the path is stale.
import { rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'

export async function listen(app: Hono, socket: string): Promise<Server> {
  rmSync(socket, { force: true })
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  // Nobody but the owner may connect, not even for the instant between bind and chmod.
  const before = process.umask(0o177)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(socket, () => resolve())
    })
  } finally {
    process.umask(before)
  }
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
