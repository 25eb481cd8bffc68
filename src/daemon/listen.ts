// Owns the unix socket. Only the lock's holder comes here, so what lies at the path is stale.
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { type ErrorCode, errorCatalogue, HoldfastError } from '../domain/errors.ts'
import { errorJson } from '../server/requests/error-json.ts'

/** A path of 4096 bytes in the address, every byte escaped, and the headers beside it. */
const LARGEST_HEAD_BYTES = 64 * 1024
/** How long a client that is refused may go on writing before it is cut off. */
const HEAR_OUT_MS = 2000

/** Bound under another name first: when the socket appears, nobody but its owner may connect. */
export async function listen(app: Hono, socket: string): Promise<Server> {
  const fresh = `${socket}.new`
  rmSync(fresh, { force: true })
  const answer = getRequestListener(app.fetch, { errorHandler: () => refusal(notHttp()) })
  const server = createServer({ maxHeaderSize: LARGEST_HEAD_BYTES, requireHostHeader: false }, answer)
  server.on('clientError', refuse)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(fresh, () => resolve())
  })
  chmodSync(fresh, 0o600)
  renameSync(fresh, socket)
  return server
}

/** What never becomes a request gets its reason as well. */
function refuse({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const error = code === 'HPE_HEADER_OVERFLOW' ? longHead() : notHttp()
  const body = JSON.stringify(errorJson(error))
  const head = `HTTP/1.1 ${errorCatalogue[error.code].http} Refused\r\ncontent-type: application/json\r\nconnection: close`
  socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  // Read to its end: who is cut off while writing does not see the answer.
  socket.resume().once('end', () => socket.destroy())
  setTimeout(() => socket.destroy(), HEAR_OUT_MS).unref()
}

const refused = (code: ErrorCode, message: string) => new HoldfastError(code, message)
const notHttp = () => refused('INVALID_REQUEST', 'The request is not valid HTTP.')
const longHead = () =>
  refused(
    'REQUEST_TOO_LARGE',
    `The address and headers of a request may have at most ${LARGEST_HEAD_BYTES / 1024} KB together.`,
  )

const refusal = (error: HoldfastError) =>
  Response.json(errorJson(error), { status: errorCatalogue[error.code].http })

/** Streams have been told to end; idle connections are closed, busy ones may answer. */
export async function stopListening(server: Server, socket: string): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const impatience = setTimeout(() => server.closeAllConnections(), 1000)
  await closed
  clearTimeout(impatience)
  rmSync(socket, { force: true })
}
