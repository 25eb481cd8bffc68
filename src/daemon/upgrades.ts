// Owns requests that ask for a WebSocket: the app looks at them as at every other request, and answers or takes them.
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { HoldfastError } from '../domain/errors.ts'
import type { RequestEnv } from '../server/via.ts'

type Fetch = (request: Request, env: RequestEnv) => Response | Promise<Response>
type Taken = { readonly serve: (socket: WebSocket) => void; readonly giveUp: () => void }

/** A paste at most; keys are a few bytes. */
const LARGEST_MESSAGE_BYTES = 64 * 1024

/** Node forgets connections that were upgraded: they are kept here, so that the end of the server is theirs too. */
const upgraded = new WeakMap<Server, Set<Duplex>>()

export function takeUpgrades(
  server: Server,
  fetch: Fetch,
  refusal: (error: HoldfastError) => Response,
): void {
  const sockets = new Set<Duplex>()
  upgraded.set(server, sockets)
  // Screens are small, and compressing them takes memory for each connection.
  const webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE_BYTES,
    perMessageDeflate: false,
  })

  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    void answer(incoming, socket, head)
  })

  async function answer(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    let taken: Taken | undefined
    const isWebSocket = incoming.method === 'GET' && incoming.headers.upgrade?.toLowerCase() === 'websocket'
    const upgrade = {
      take: (serve: Taken['serve'], giveUp: Taken['giveUp']) => {
        taken = { serve, giveUp }
      },
    }
    const response = await (isWebSocket
      ? fetched(incoming, { incoming, upgrade })
      : refusal(new HoldfastError('INVALID_REQUEST', 'The only upgrade is a GET to a WebSocket.')))
    if (taken === undefined) return send(response.ok ? noWebSocket(response) : response, socket)
    let isServed = false
    const { serve, giveUp } = taken
    if (!socket.destroyed)
      webSockets.handleUpgrade(incoming, socket, head, (webSocket) => {
        isServed = true
        serve(webSocket)
      })
    if (!isServed) giveUp()
  }

  /** A stream as the answer would never end. */
  function noWebSocket({ body }: Response): Response {
    void body?.cancel().catch(() => {})
    return refusal(new HoldfastError('INVALID_REQUEST', 'There is no WebSocket at this address.'))
  }

  async function fetched(incoming: IncomingMessage, env: RequestEnv): Promise<Response> {
    try {
      return await fetch(requestOf(incoming), env)
    } catch {
      return refusal(new HoldfastError('INVALID_REQUEST', 'The request is not valid HTTP.'))
    }
  }
}

/** Cuts off the WebSockets of a server. Those who serve them have said goodbye before, if they could. */
export function endUpgraded(server: Server): void {
  for (const socket of upgraded.get(server) ?? []) socket.destroy()
}

function requestOf({ url, headers }: IncomingMessage): Request {
  const given = new Headers()
  for (const [name, value] of Object.entries(headers)) given.set(name, [value ?? ''].flat().join(', '))
  return new Request(new URL(url ?? '/', `http://${headers.host ?? 'localhost'}`), { headers: given })
}

async function send(response: Response, socket: Duplex): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer())
  const headers = [...response.headers, ['connection', 'close'], ['content-length', String(body.length)]]
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const { status } = response
  if (socket.destroyed) return
  const head = Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}\r\n`)
  socket.end(Buffer.concat([head, body]), () => socket.destroy())
}
