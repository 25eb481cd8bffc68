// `holdfast/client` in a browser: the page's own daemon, or another one with a token.
import { VERSION } from '../domain/names/version.ts'
import { type Client, createClient } from './client.ts'
import { type ConnectOptions, overFetch } from './over-fetch.ts'

export { ApiError } from './api-error.ts'
export type { CallOptions, Client } from './client.ts'
export type { EventsOptions, HoldfastEvent } from './events.ts'
export type { ConnectOptions } from './over-fetch.ts'

/** Without `url`: the daemon that served the page, by its cookie. */
export const connect = (options: ConnectOptions = {}): Client =>
  createClient({ version: VERSION, ...overFetch(options) })
