// Owns one request to the daemon: typed by the contract, refused with code, message and hint.
import {
  type Api,
  type ErrorJson,
  HEADER_ACTOR,
  HEADER_KEY,
  HEADER_VERSION,
  type Route,
} from '../../../src/protocol/api.ts'
import type { CallRoute, RouteArguments } from '../../../src/protocol/route-needs.ts'
import { hearTime } from './server-clock.ts'
import { hearVersion } from './version.ts'

/** `code` is null when the daemon could not be reached. */
export class Refused extends Error {
  readonly code: ErrorJson['code'] | null
  readonly hint: string
  readonly status: number
  constructor(message: string, code: ErrorJson['code'] | null, hint: string, status: number) {
    super(message)
    this.code = code
    this.hint = hint
    this.status = status
  }
}

type Needs = {
  readonly id?: string
  readonly query?: Record<string, string | undefined>
  readonly body?: unknown
}

/** A question to the daemon. It may be repeated. */
export const call: CallRoute = async <R extends Route>(route: R, ...[needs]: RouteArguments<R>) => {
  const answer = await send(route, (needs ?? {}) as Needs, {})
  return answerOf<R>(answer)
}

/** How often an order is sent again when the connection broke. With the same key it is the same order. */
const TRIES = 3

/** An order to the daemon: carried out once, however often it must be sent. */
export const order: CallRoute = async <R extends Route>(route: R, ...[needs]: RouteArguments<R>) => {
  const headers = { [HEADER_KEY]: newKey() }
  for (let tries = 1; ; tries += 1) {
    try {
      return await answerOf<R>(await send(route, (needs ?? {}) as Needs, headers))
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== null || tries === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, 300 * tries))
    }
  }
}

/** The answer as it comes, for streams and texts. */
export async function send(
  route: Route,
  { id, query, body }: Needs,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Response> {
  const [method, path] = route.split(' ') as [string, string]
  const search = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  ).toString()
  const address = path.replace(':id', encodeURIComponent(id ?? '')) + (search === '' ? '' : `?${search}`)
  const answer = await reach(address, {
    method,
    headers: {
      [HEADER_VERSION]: __VERSION__,
      [HEADER_ACTOR]: 'page',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
    cache: 'no-store',
  })
  hearTime(answer.headers.get('date'))
  hearVersion(answer.headers.get(HEADER_VERSION))
  if (!answer.ok) throw await refusalOf(answer)
  return answer
}

async function reach(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init)
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    throw new Refused(
      'The daemon does not answer.',
      null,
      'It may be starting. The page tries again by itself.',
      0,
    )
  }
}

async function answerOf<R extends Route>(answer: Response): Promise<Api[R]['out']> {
  const isJson = /^application\/json/.test(answer.headers.get('content-type') ?? '')
  try {
    return (isJson ? await answer.json() : await answer.text()) as Api[R]['out']
  } catch {
    throw new Refused(
      'The connection broke in the middle of an answer.',
      null,
      'The page tries again by itself.',
      0,
    )
  }
}

async function refusalOf(answer: Response): Promise<Refused> {
  const said = (await answer.json().catch(() => ({}))) as Partial<ErrorJson>
  return new Refused(
    said.message ?? `The daemon answered ${answer.status}.`,
    said.code ?? 'INTERNAL',
    said.hint ?? '',
    answer.status,
  )
}

/** Not randomUUID: over plain HTTP, as through a tunnel by name, browsers do not offer it. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
