// Owns the conversation with the daemon: HTTP over the home's unix socket, typed by the protocol.
import { HoldfastError } from '../domain/errors.ts'
import { type Api, HEADER_VERSION, type Route } from '../protocol/api.ts'
import { connectionError, daemonError, nobodyListens, wentAway } from './daemon-error.ts'
import { silentDaemon } from './daemon-holder.ts'
import { type Answer, exchange } from './exchange.ts'

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
  async stream<R extends Route>(route: R, ...[needs]: Wanted<R>): Promise<AsyncIterable<Buffer>> {
    const { httpExchange } = await import('./http-exchange.ts')
    const answer = this.#answer(route, (needs ?? {}) as AnyNeeds, httpExchange)
    const { body } = await answer.catch((error) => raise(connectionError(error, this.#options.socket)))
    return body
  }

  /** A question that changes nothing is asked again when the daemon died over it; anything else is not. */
  async #read(route: Route, needs: AnyNeeds): Promise<string> {
    const ask = async () => textOf(await this.#answer(route, needs, exchange))
    const once = ask()
    const answer = route.startsWith('GET ')
      ? once.catch((error) => (wentAway(error) ? ask() : raise(error)))
      : once
    return await answer.catch((error) => raise(connectionError(error, this.#options.socket)))
  }

  async #answer(route: Route, needs: AnyNeeds, by: typeof exchange): Promise<Answer> {
    const answer = await this.#connected(route, needs, by)
    const version = answer.headers.get(HEADER_VERSION)
    if (version !== undefined) this.#options.onVersion?.(version)
    if (answer.status < 400) return answer
    throw daemonError(await textOf(answer))
  }

  /** Nothing was sent when nobody listens, so a second try after `reach` repeats nothing. */
  async #connected(route: Route, needs: AnyNeeds, by: typeof exchange): Promise<Answer> {
    const { reach } = this.#options
    try {
      return await this.#send(route, needs, by)
    } catch (error) {
      if (reach === undefined || !nobodyListens(error)) throw error
      await reach()
      return await this.#send(route, needs, by)
    }
  }

  async #send(route: Route, needs: AnyNeeds, by: typeof exchange): Promise<Answer> {
    const [method, path] = route.split(' ') as [string, string]
    const { patienceMs = 5_000, home, socket, headers } = this.#options
    const body = needs.body === undefined ? undefined : JSON.stringify(needs.body)
    const all = body === undefined ? headers : { ...headers, 'content-type': 'application/json' }
    const asked = by(socket, { method, path: pathWith(path, needs), headers: all, body })
    const watch = setInterval(async () => {
      if (!(await this.#lives(patienceMs))) asked.destroy(silentDaemon(home))
    }, patienceMs)
    return await asked.answer.finally(() => clearInterval(watch))
  }

  /** Some answers take long (a kill waits for the agent's grace), but a daemon that is well always says so. */
  async #lives(withinMs: number): Promise<boolean> {
    const { socket, headers } = this.#options
    const probe = exchange(socket, { method: 'GET', path: '/api/health', headers })
    const impatience = setTimeout(() => probe.destroy(), withinMs)
    const answered = await probe.answer.then(
      () => true,
      () => false,
    )
    clearTimeout(impatience)
    probe.destroy()
    return answered
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

async function textOf({ body }: Answer): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
