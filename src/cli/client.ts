// Owns the conversation with the daemon: HTTP over the home's unix socket, typed by the protocol.
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { HoldfastError } from '../domain/errors.ts'
import { type Api, HEADER_VERSION, type Route } from '../protocol/api.ts'
import { connectionError, daemonError, nobodyListens, wentAway } from './daemon-error.ts'
import { silentDaemon } from './daemon-holder.ts'

type Needs<R extends Route> = (R extends `${string}:id${string}` ? { readonly id: string } : unknown) &
  (Api[R] extends { query: infer Query } ? { readonly query: Query } : unknown) &
  (Api[R] extends { in: infer Body } ? { readonly body: Body } : unknown)
/** What a route wants: its `id`, `query` and `body`, where it has them. */
type Wanted<R extends Route> = unknown extends Needs<R> ? [] : [needs: Needs<R>]
type AnyNeeds = { id?: string; query?: Readonly<Record<string, string | undefined>>; body?: unknown }

export type ClientOptions = {
  readonly home: string
  readonly socket: string
  readonly headers: Readonly<Record<string, string>>
  /** Brings a daemon up when nobody listens. Absent: the caller only looks. */
  readonly reach?: () => Promise<void>
  readonly onVersion?: (version: string) => void
  /** After so long without an answer the daemon is asked whether it lives. */
  readonly patienceMs?: number
}

export class DaemonClient {
  readonly #options: ClientOptions
  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** One question, one JSON answer. The daemon's errors are thrown as they are. */
  async call<R extends Route>(route: R, ...[needs]: Wanted<R>): Promise<Api[R]['out']> {
    const text = await this.#read(route, (needs ?? {}) as AnyNeeds)
    try {
      return JSON.parse(text) as Api[R]['out']
    } catch (cause) {
      throw new HoldfastError('INTERNAL', `The daemon's answer to ${route} is not JSON.`, { cause })
    }
  }

  /** Text as it comes. Errors while reading are the socket's own: the reader knows how far it got. */
  async stream<R extends Route>(route: R, ...[needs]: Wanted<R>): Promise<IncomingMessage> {
    const answer = this.#answer(route, (needs ?? {}) as AnyNeeds)
    return await answer.catch((error) => raise(connectionError(error, this.#options.socket)))
  }

  /** A question that changes nothing is asked again when the daemon died over it; anything else is not. */
  async #read(route: Route, needs: AnyNeeds): Promise<string> {
    const ask = async () => textOf(await this.#answer(route, needs))
    const once = ask()
    const answer = route.startsWith('GET ')
      ? once.catch((error) => (wentAway(error) ? ask() : raise(error)))
      : once
    return await answer.catch((error) => raise(connectionError(error, this.#options.socket)))
  }

  async #answer(route: Route, needs: AnyNeeds): Promise<IncomingMessage> {
    const response = await this.#connected(route, needs)
    const version = response.headers[HEADER_VERSION]
    if (typeof version === 'string') this.#options.onVersion?.(version)
    if ((response.statusCode ?? 500) < 400) return response
    throw daemonError(await textOf(response))
  }

  /** Nothing was sent when nobody listens, so a second try after `reach` repeats nothing. */
  async #connected(route: Route, needs: AnyNeeds): Promise<IncomingMessage> {
    const { reach } = this.#options
    try {
      return await this.#send(route, needs)
    } catch (error) {
      if (reach === undefined || !nobodyListens(error)) throw error
      await reach()
      return await this.#send(route, needs)
    }
  }

  #send(route: Route, needs: AnyNeeds): Promise<IncomingMessage> {
    const [method, path] = route.split(' ') as [string, string]
    const request = this.#request(method, pathWith(path, needs))
    const { patienceMs = 3_000, home } = this.#options
    const watch = setInterval(async () => {
      if (!(await this.#lives(patienceMs))) request.destroy(silentDaemon(home))
    }, patienceMs)
    const unwatch = () => clearInterval(watch)
    return new Promise((resolve, reject) => {
      request.on('error', reject).once('close', unwatch).once('response', unwatch).once('response', resolve)
      if (needs.body === undefined) request.end()
      else request.setHeader('content-type', 'application/json').end(JSON.stringify(needs.body))
    })
  }

  /** Without an agent: one question per connection, and the agent alone costs a tenth of a `status`. */
  #request(method: string, path: string): ClientRequest {
    const { socket, headers } = this.#options
    return httpRequest({ createConnection: () => connect(socket), method, path, headers })
  }

  /** Some answers take long (a kill waits for the agent's grace), but a daemon that is well always says so. */
  #lives(withinMs: number): Promise<boolean> {
    const probe = this.#request('GET', '/api/health').setTimeout(withinMs)
    return new Promise((resolve) => {
      probe.once('response', (response) => resolve(response.resume() !== undefined))
      probe.once('timeout', () => probe.destroy()).on('error', () => resolve(false))
      probe.once('close', () => resolve(false)).end()
    })
  }
}

const raise = (error: unknown): never => {
  throw error
}

function pathWith(path: string, { id, query }: AnyNeeds): string {
  // A URL parser would take `.` and `..` for steps, however they are escaped.
  if (id !== undefined && /^\.{0,2}$/.test(id))
    throw new HoldfastError('INVALID_ID', `'${id}' is not a session id.`)
  const given = Object.entries(query ?? {}).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const search = new URLSearchParams(given).toString()
  return path.replace(':id', () => encodeURIComponent(id ?? '')) + (search === '' ? '' : `?${search}`)
}

function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    response.on('data', (chunk) => chunks.push(chunk)).on('error', reject)
    response.once('end', () => resolve(Buffer.concat(chunks).toString()))
  })
}
