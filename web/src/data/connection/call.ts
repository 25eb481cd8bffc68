// Owns the page's one client. Every answer also tells the daemon's time and version.
import { ApiError } from '../../../../src/client/api-error.ts'
import { createClient } from '../../../../src/client/client.ts'
import { addressOf } from '../../../../src/protocol/address.ts'
import type { Route } from '../../../../src/protocol/api.ts'
import { HEADER_ACTOR, HEADER_FROM, HEADER_VERSION } from '../../../../src/protocol/headers.ts'
import type { ReadyJson } from '../../../../src/protocol/json/daemon-json.ts'
import type { CallRoute, RouteArguments } from '../../../../src/protocol/route-needs.ts'
import { hearTime } from './server-clock.ts'
import { hearSignedIn } from './signed-in.ts'
import { hearVersion } from './version.ts'

/** What the daemon refused, or `status` 0 when it did not answer. */
export { ApiError as Refused }

export const isUnreached = (error: unknown) => error instanceof ApiError && error.status === 0

/** The daemon did not answer, could not find out, or has too much to do: nothing is known anew. */
export const isUnanswered = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)

async function send(path: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(path, { ...init, cache: 'no-store' })
  hearTime(answer.headers.get('date'))
  hearVersion(answer.headers.get(HEADER_VERSION))
  hearSignedIn(answer.status)
  return answer
}

export const client = createClient({ send, version: __VERSION__, headers: { [HEADER_ACTOR]: 'page' } })

/** A question to the daemon, or an order that is not sent again. */
export const call: CallRoute = (route, ...needs) => whole(client.call(route, ...needs))

/** A question that is answered with text. */
export const callText = <R extends Route>(route: R, ...needs: RouteArguments<R>): Promise<string> =>
  whole(client.text(route, ...needs))

/** After so long an order is sent again when the connection broke: together longer than a daemon takes to start again. */
const PAUSES_MS = [300, 600, 1200, 2000]

/** An order to the daemon: carried out once, however often it must be sent. */
export const order: CallRoute = <R extends Route>(route: R, ...needs: RouteArguments<R>) =>
  orderAs(newKey())(route, ...needs)

/** An order with a key of its own: given again with it, when nobody knows what became of it, it is the same order. */
export const orderAs =
  (key: string): CallRoute =>
  <R extends Route>(route: R, ...needs: RouteArguments<R>) =>
    again(() => whole(client.call(route, ...withNeeds(needs), { key })))

/** An order whose answer has no type of its own. */
export const orderText = <R extends Route>(route: R, ...needs: RouteArguments<R>): Promise<string> => {
  const key = newKey()
  return again(() => whole(client.text(route, ...withNeeds(needs), { key })))
}

/** A route without needs takes its options second as well. */
const withNeeds = <R extends Route>(needs: RouteArguments<R>) =>
  (needs.length === 0 ? [{}] : needs) as unknown as RouteArguments<R>

async function again<Answer>(give: () => Promise<Answer>): Promise<Answer> {
  for (const ms of PAUSES_MS) {
    try {
      return await give()
    } catch (error) {
      if (!isUnreached(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
  }
  return await give()
}

/** A part of a log. `from`: the byte at which it begins, as far as the daemon says so. */
export type LogPart = { readonly bytes: Uint8Array; readonly from: number | undefined }

export async function readLog(
  id: string,
  query: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<LogPart> {
  const { path } = addressOf('GET /api/tasks/:id/output', { id, query })
  const answer = await ask(path, signal)
  if (!answer.ok) throw await refusalIn(answer)
  const from = answer.headers.get(HEADER_FROM)
  const bytes = new Uint8Array(await whole(answer.arrayBuffer(), signal))
  return { bytes, from: from === null ? undefined : Number(from) }
}

/** It answers 503 when something is wrong, and says what. */
export async function readReady(): Promise<ReadyJson> {
  const answer = await ask(addressOf('GET /api/ready', {}).path)
  if (answer.ok || answer.status === 503) return (await whole(answer.json())) as ReadyJson
  throw await refusalIn(answer)
}

const ask = (path: string, signal?: AbortSignal): Promise<Response> =>
  whole(send(path, { headers: { [HEADER_VERSION]: __VERSION__ }, signal }), signal)

/** A connection can also break in the middle of an answer: then it is as if there had been none. */
const whole = <Answer>(answer: Promise<Answer>, signal?: AbortSignal): Promise<Answer> =>
  answer.catch((cause) => {
    if (signal?.aborted || cause instanceof ApiError) throw cause
    throw unreached(cause)
  })

async function refusalIn(answer: Response): Promise<ApiError> {
  const said = await answer
    .json()
    .catch(() => ({ code: 'INTERNAL', message: `The daemon answered ${answer.status}.` }))
  return new ApiError({ ...said, status: answer.status })
}

const unreached = (cause: unknown) =>
  new ApiError({ code: 'DAEMON_UNREACHABLE', message: 'The daemon does not answer.', status: 0, cause })

/** Not randomUUID: over plain HTTP, as through a tunnel by name, browsers do not offer it. */
export const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
