// Owns the unix socket. Only the daemon that holds the lock listens, so a file at the path is a leftover.
import { chmodSync, renameSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Hono } from 'hono'
import { httpServer, stopServer } from './http-server.ts'

/** The socket is bound under another name first: when it appears at its path, only its owner may connect. */
export async function listen(app: Hono, socket: string): Promise<Server> {
  const fresh = `${socket}.new`
  rmSync(fresh, { force: true })
  const server = httpServer(app, 'socket', { requireHostHeader: false })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(fresh, () => resolve())
  })
  chmodSync(fresh, 0o600)
  renameSync(fresh, socket)
  return server
}

export async function stopListening(server: Server, socket: string): Promise<void> {
  await stopServer(server)
  rmSync(socket, { force: true })
}
