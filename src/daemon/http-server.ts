// Owns HTTP as the daemon speaks it, on the unix socket and on TCP: limits, and an answer also to what is no request.
import { createServer, type Server, type ServerOptions } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { type ErrorCode, errorCatalogue, HoldfastError } from '../domain/errors.ts'
import { errorJson } from '../server/requests/error-json.ts'
import type { Via } from '../server/via.ts'

/** Room for a path of 4096 bytes in the address, with every byte escaped, and for the headers. */
const LARGEST_HEAD_BYTES = 64 * 1024
/** How long a client that is refused may go on writing before it is cut off. */
const HEAR_OUT_MS = 2000

export function httpServer(app: Hono, via: Via, options: ServerOptions): Server {
  const fetch = (request: Request, env: object) => app.fetch(request, { ...env, via })
  const answer = getRequestListener(fetch, { errorHandler: () => refusal(notHttp()) })
  const server = createServer({ maxHeaderSize: LARGEST_HEAD_BYTES, ...options }, answer)
  return server.on('clientError', refuse)
}

/** Bytes that are no valid request get an answer with the reason, too. */
function refuse({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const error = code === 'HPE_HEADER_OVERFLOW' ? longHead() : notHttp()
  const body = JSON.stringify(errorJson(error))
  const head = `HTTP/1.1 ${errorCatalogue[error.code].http} Refused\r\ncontent-type: application/json\r\nconnection: close`
  socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  // Read to its end: a client that is cut off while it writes does not see the answer.
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

/** Streams are already ending. Idle connections are closed at once, busy ones get a second to answer. */
export async function stopServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const impatience = setTimeout(() => server.closeAllConnections(), 1000)
  await closed
  clearTimeout(impatience)
}
