// `holdfast/client` in Node: the daemon of this user by its unix socket, or any daemon with a token.
import { request } from 'node:http'
import { userInfo } from 'node:os'
import { Readable } from 'node:stream'
import { defaultHome, homePaths } from '../domain/names/home.ts'
import { VERSION } from '../domain/names/version.ts'
import { HEADER_ACTOR, HEADER_RUN } from '../protocol/headers.ts'
import { type Client, createClient, type Transport } from './client.ts'
import { nodeSocket } from './node-socket.ts'
import { type ConnectOptions, overFetch } from './over-fetch.ts'

export { ApiError } from './api-error.ts'
export type { CallOptions, Client } from './client.ts'
export type { EventsOptions, HoldfastEvent } from './events.ts'
export type { LiveTerminal, TerminalOptions, TerminalState } from './terminal.ts'

export type NodeConnectOptions = ConnectOptions & {
  /** The home whose daemon is asked, when there is no `url`; $HOLDFAST_HOME or the default when absent. */
  readonly home?: string
}

/** It starts no daemon: the command `up` does. */
export function connect({ home, ...options }: NodeConnectOptions = {}): Client {
  const { url } = options
  if (url !== undefined) {
    const over = overFetch(options)
    return createClient({ version: VERSION, ...over, openSocket: nodeSocket({ url }, over.headers ?? {}) })
  }
  const { socket } = homePaths(home ?? defaultHome(process.env))
  const run = process.env.HOLDFAST_RUN
  const headers = {
    [HEADER_ACTOR]: userInfo().username.replace(/[^\x20-\x7e]/g, '?'),
    ...(run ? { [HEADER_RUN]: run } : {}),
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
  }
  return createClient({
    version: VERSION,
    send: overSocket(socket),
    headers,
    openSocket: nodeSocket({ socketPath: socket }, headers),
    onOtherVersion: options.onOtherVersion,
  })
}

/** `fetch` cannot use a unix socket. */
const overSocket =
  (socketPath: string): Transport =>
  (path, { method = 'GET', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const asked = request({
        socketPath,
        path,
        method,
        headers: headers as Record<string, string>,
        signal: signal ?? undefined,
      })
      asked.once('error', reject).once('response', (answer) => {
        const { statusCode: status = 500 } = answer
        const told = Object.entries(answer.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ])
        resolve(new Response(hasBody(status) ? webStream(answer) : null, { status, headers: told }))
      })
      asked.end(body)
    })

const hasBody = (status: number) => status !== 204 && status !== 304
const webStream = (readable: Readable) => Readable.toWeb(readable) as ReadableStream<Uint8Array>
