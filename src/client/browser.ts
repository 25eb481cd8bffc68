// `holdfast/client` in a browser: the page's own daemon, or another one with a token, which must name the page's
// origin in `server.origins`.
import { VERSION } from '../domain/names/version.ts'
import { ApiError } from './api-error.ts'
import { browserSocket } from './browser-socket.ts'
import { type Client, createClient } from './client.ts'
import { type ConnectOptions, overFetch } from './over-fetch.ts'

export { ApiError } from './api-error.ts'
export type { CallOptions, Client } from './client.ts'
export type { EventsOptions, HoldfastEvent } from './events.ts'
export type { ConnectOptions } from './over-fetch.ts'
export type { LiveTerminal, TerminalOptions, TerminalState } from './terminal.ts'

/** Without `url`: the daemon that served the page, by its cookie. */
export const connect = (options: ConnectOptions = {}): Client =>
  createClient({
    version: VERSION,
    ...overFetch(options),
    openSocket: options.token === undefined ? browserSocket(options.url) : noHeaders,
  })

/** A browser sends no token with a WebSocket, and one in its address would be written to logs. */
const noHeaders = () => {
  throw new ApiError({
    code: 'LOGIN_REQUIRED',
    message: 'In a browser a live terminal needs the cookie of the page: a token cannot be sent with it.',
    status: 401,
  })
}
