// Owns the client of the HTTP API, for browsers and for Node: typed by the protocol, small, without a state of its own.
import { addressOf } from '../protocol/address.ts'
import type { Api, Route } from '../protocol/api.ts'
import { HEADER_KEY, HEADER_VERSION } from '../protocol/headers.ts'
import { isAnswer } from '../protocol/is-answer.ts'
import { isKeyed } from '../protocol/repeats.ts'
import type { RouteArguments } from '../protocol/route-needs.ts'
import { ApiError, errorFrom } from './api-error.ts'
import { browserSocket } from './browser-socket.ts'
import { type EventsOptions, type HoldfastEvent, readEvents } from './events.ts'
import { type LiveTerminal, type OpenSocket, openTerminal, type TerminalOptions } from './terminal.ts'

/** As `fetch`, with a path instead of a URL. */
export type Transport = (path: string, init: RequestInit) => Promise<Response>

export type ClientOptions = {
  readonly send: Transport
  /** The version of whoever asks. */
  readonly version: string
  readonly headers?: Readonly<Record<string, string>>
  /** For live terminals; a WebSocket of the page that this runs in, when absent. */
  readonly openSocket?: OpenSocket
  /** Called when an answer comes from a daemon of another version: a page should be loaded again. */
  readonly onOtherVersion?: (daemon: string) => void
}

export type CallOptions = {
  readonly signal?: AbortSignal
  /** The same key with the same request is the same request. Without one, each call has a key of its own. */
  readonly key?: string
}

type AnyNeeds = {
  readonly id?: string
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
}

export type Client = ReturnType<typeof createClient>

export function createClient({
  send,
  version,
  headers = {},
  openSocket = browserSocket(),
  onOtherVersion,
}: ClientOptions) {
  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    const all = { [HEADER_VERSION]: version, ...headers, ...(init.headers as Record<string, string>) }
    const response = await reached(send(path, { ...init, headers: all }))
    const daemon = response.headers.get(HEADER_VERSION)
    if (daemon !== null && daemon !== version) onOtherVersion?.(daemon)
    if (!isAnswer(`${init.method ?? 'GET'} ${path}`, response.status)) throw await errorFrom(response)
    return response
  }

  /** The answer as it comes, for routes that answer with text or lines. */
  const open = async <R extends Route>(
    route: R,
    ...[needs, { signal, key }]: [needs: AnyNeeds, options: CallOptions]
  ): Promise<Response> => {
    const { method, path } = addressOf(route, needs)
    return await ask(path, {
      method,
      signal,
      headers: {
        ...(needs.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(isKeyed(route) ? { [HEADER_KEY]: key ?? newKey() } : {}),
      },
      ...(needs.body === undefined ? {} : { body: JSON.stringify(needs.body) }),
    })
  }

  return {
    /** One request, one JSON answer: `call('GET /api/tasks/:id', { id })`. */
    call: async <R extends Route>(
      route: R,
      ...[needs, options]: [...RouteArguments<R>, options?: CallOptions]
    ): Promise<Api[R]['out']> => {
      const response = await open(route, (needs ?? {}) as AnyNeeds, (options ?? {}) as CallOptions)
      return (await response.json()) as Api[R]['out']
    },
    /** For answers that are text, such as `GET /api/tasks/:id/output`. */
    text: async <R extends Route>(
      route: R,
      ...[needs, options]: [...RouteArguments<R>, options?: CallOptions]
    ): Promise<string> =>
      (await open(route, (needs ?? {}) as AnyNeeds, (options ?? {}) as CallOptions)).text(),
    /** The events of all tasks or of one, without end: it connects again by itself, and misses none. */
    events: (options: EventsOptions = {}): AsyncGenerator<HoldfastEvent> => readEvents(ask, options),
    /** The live terminal of a session. It only looks until typing is switched on; it connects again by itself. */
    terminal: (id: string, options: TerminalOptions): LiveTerminal =>
      openTerminal(id, options, { ask: (path) => ask(path, {}), openSocket }),
  }
}

/** Not randomUUID: a browser does not offer it to a page that came over plain HTTP from another machine. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const reached = (answer: Promise<Response>) =>
  answer.catch((cause) => {
    if (cause instanceof Error && cause.name === 'AbortError') throw cause
    throw new ApiError({
      code: 'DAEMON_UNREACHABLE',
      message: 'The daemon does not answer.',
      status: 0,
      cause,
    })
  })
