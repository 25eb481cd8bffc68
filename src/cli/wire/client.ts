// Owns requests to the daemon: HTTP over the home's unix socket, typed by the protocol.
import { HoldfastError } from '../../domain/errors.ts'
import { addressOf } from '../../protocol/address.ts'
import type { Api, Route } from '../../protocol/api.ts'
import { HEADER_KEY, HEADER_VERSION, LARGEST_BODY_BYTES } from '../../protocol/headers.ts'
import { isAnswer } from '../../protocol/is-answer.ts'
import { isKeyed } from '../../protocol/repeats.ts'
import type { RouteArguments } from '../../protocol/route-needs.ts'
import { connectionError, daemonError, isConnectionLost, isNobodyListening } from './daemon-error.ts'
import { silentDaemon } from './daemon-holder.ts'
import { type AnswerBody, type ExchangeAnswer, exchange } from './exchange.ts'

type AnyNeeds = {
  id?: string
  query?: Readonly<Record<string, string | undefined>>
  body?: unknown
  headers?: Readonly<Record<string, string>> | undefined
}

export type ClientOptions = {
  readonly home: string
  readonly socket: string
  /** False: there was no home a moment ago, so whoever listens there now may be anybody. */
  readonly hasHome?: boolean
  readonly headers: Readonly<Record<string, string>>
  /** Asked once when the token in the headers has expired: by then the daemon has renewed it. */
  readonly headersAnew?: () => Readonly<Record<string, string>>
  /** Starts a daemon when nobody listens. Absent: no daemon is started. */
  readonly reach?: () => Promise<void>
  readonly onVersion?: (version: string) => void
  /** After this time without an answer, the client checks whether the daemon is alive. */
  readonly patienceMs?: number
}

/** The `accept` header for answers that come line by line, or as text. */
const ANY_LINES = 'application/x-ndjson, text/*;q=0.9, */*;q=0.8'

export class DaemonClient {
  readonly #options: ClientOptions
  #reached = false
  #headers: ClientOptions['headers']
  #isRenewed = false
  constructor(options: ClientOptions) {
    this.#options = options
    this.#headers = options.headers
  }

  /** One request, one JSON answer. The daemon's errors are thrown as they are. */
  async call<R extends Route>(route: R, ...[needs]: RouteArguments<R>): Promise<Api[R]['out']> {
    const text = await this.#readText(route, (needs ?? {}) as AnyNeeds)
    try {
      return JSON.parse(text) as Api[R]['out']
    } catch (cause) {
      throw new HoldfastError('INTERNAL', `The daemon's answer to ${route} is not JSON.`, { cause })
    }
  }

  /** The text of the answer as it comes. Errors while reading are those of the socket: the reader knows how far it got. */
  async stream<R extends Route>(route: R, ...needs: RouteArguments<R>): Promise<AnswerBody> {
    return (await this.openStream(route, ...needs)).body
  }

  /** As `stream`, with the headers of the answer. */
  async openStream<R extends Route>(route: R, ...[needs]: RouteArguments<R>): Promise<ExchangeAnswer> {
    const { httpExchange } = await import('./http-exchange.ts')
    const inLines: typeof exchange = (socket, request) =>
      httpExchange(socket, { ...request, headers: { ...request.headers, accept: ANY_LINES } })
    const answer = this.#answer(route, (needs ?? {}) as AnyNeeds, inLines)
    return await answer.catch((error) => raise(connectionError(error, this.#options.socket)))
  }

  /**
   * When the daemon dies during a request, a GET is sent again, and so is what makes or orders something: with the same key
   * it is the same request, which the next daemon carries out if this one did not. Other requests are not repeated.
   */
  async #readText(route: Route, needs: AnyNeeds): Promise<string> {
    const key = isKeyed(route) ? { [HEADER_KEY]: await newKey() } : undefined
    const ask = async () => textOf(await this.#answer(route, { ...needs, headers: key }, exchange))
    const once = ask()
    const answer =
      route.startsWith('GET ') || key !== undefined
        ? once.catch((error) => (isConnectionLost(error) ? askAgain(ask) : raise(error)))
        : once
    return await answer.catch((error) => raise(connectionError(error, this.#options.socket)))
  }

  async #answer(route: Route, needs: AnyNeeds, by: typeof exchange): Promise<ExchangeAnswer> {
    const answer = await this.#connected(route, needs, by)
    const version = answer.headers.get(HEADER_VERSION)
    if (version !== undefined) this.#options.onVersion?.(version)
    if (isAnswer(route, answer.status)) return answer
    const error = daemonError(await textOf(answer))
    const anew = error.code === 'TOKEN_EXPIRED' ? this.#options.headersAnew?.() : undefined
    if (anew === undefined || this.#isRenewed) throw error
    this.#isRenewed = true
    this.#headers = anew
    return await this.#answer(route, needs, by)
  }

  /** When nobody listens, nothing was sent: so a second try after `reach` repeats nothing. */
  async #connected(route: Route, needs: AnyNeeds, by: typeof exchange): Promise<ExchangeAnswer> {
    const { reach, hasHome = true } = this.#options
    try {
      if (!hasHome && !this.#reached) throw noHomeError()
      return await this.#send(route, needs, by)
    } catch (error) {
      if (reach === undefined || !isNobodyListening(error)) throw error
      await reach()
      this.#reached = true
      return await this.#send(route, needs, by)
    }
  }

  async #send(route: Route, needs: AnyNeeds, by: typeof exchange): Promise<ExchangeAnswer> {
    const { method, path } = addressOf(route, needs)
    const { patienceMs = 5_000, home, socket } = this.#options
    const body = needs.body === undefined ? undefined : bodyText(needs.body)
    const all = {
      ...this.#headers,
      ...needs.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const asked = by(socket, { method, path, headers: all, body })
    const watch = setInterval(async () => {
      if (!(await this.#isAlive(patienceMs))) asked.destroy(silentDaemon(home))
    }, patienceMs)
    return await asked.answer.finally(() => clearInterval(watch))
  }

  /** Some answers take long (a kill waits for the agent's end), but a healthy daemon always answers this request. */
  async #isAlive(withinMs: number): Promise<boolean> {
    const { socket } = this.#options
    const probe = exchange(socket, { method: 'GET', path: '/api/health', headers: this.#headers })
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

/** Tries several times: a daemon that was killed still accepts connections until its last thread has ended. */
async function askAgain(ask: () => Promise<string>): Promise<string> {
  for (let tries = 1; ; tries++) {
    await new Promise((later) => setTimeout(later, AGAIN_AFTER_MS))
    try {
      return await ask()
    } catch (error) {
      if (!isConnectionLost(error) || tries === MOST_TRIES) throw error
    }
  }
}
const AGAIN_AFTER_MS = 50
const MOST_TRIES = 40

/** Loaded only when needed: most commands only look. */
const newKey = async () => (await import('../../system/ids.ts')).systemIds.random()

const noHomeError = () => Object.assign(new Error('there is no home'), { code: 'ENOENT' })
const raise = (error: unknown): never => {
  throw error
}

/** A body that is too large is refused here: the daemon would close the connection while we still write. */
function bodyText(body: unknown): string {
  const text = JSON.stringify(body)
  if (Buffer.byteLength(text) > LARGEST_BODY_BYTES)
    throw new HoldfastError(
      'REQUEST_TOO_LARGE',
      `The request is too large: the daemon accepts at most ${LARGEST_BODY_BYTES / 1024 ** 2} MB at once.`,
    )
  return text
}

async function textOf({ body }: ExchangeAnswer): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
