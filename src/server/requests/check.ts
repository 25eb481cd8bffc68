// Owns what every request must be before a route sees it: not too large, decodable, and JSON if it has a body.
import type { Context, MiddlewareHandler } from 'hono'
import { HoldfastError } from '../../domain/errors.ts'
import { LARGEST_BODY_BYTES } from '../../protocol/headers.ts'
import { readJson } from './read-json.ts'

const BODY = 'body'
const MB = 1024 * 1024

export const checkRequest: MiddlewareHandler = async (c, next) => {
  checkSteps(c)
  checkAddress(c.req.url)
  if (Number(c.req.header('content-length') ?? 0) > LARGEST_BODY_BYTES) throw tooLarge()
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') c.set(BODY, await readBody(c))
  await next()
}

/** The request's JSON; an empty body counts as no fields. */
export const bodyOf = (c: Context): unknown => {
  const body: unknown = c.get(BODY)
  return body === undefined ? {} : body
}

/** A URL parser resolves `.` and `..`, also when escaped: `/api/tasks/%2e%2e/events` would become another route. */
function checkSteps(c: Context): void {
  const { incoming } = (c.env ?? {}) as { incoming?: { url?: string } }
  if (/(^|\/)(\.|%2e){1,2}(\/|\?|$)/i.test(incoming?.url ?? ''))
    throw new HoldfastError('INVALID_REQUEST', "The address of the request contains the step '.' or '..'.")
}

/** Later code would take an address that cannot be decoded as it is, with its escapes. */
function checkAddress(url: string): void {
  const { pathname, search } = new URL(url)
  try {
    if (!decodeURIComponent(pathname).includes('\0') && !decodeURIComponent(search).includes('\0')) return
  } catch (cause) {
    throw new HoldfastError('INVALID_REQUEST', 'The address of the request cannot be decoded.', { cause })
  }
  throw new HoldfastError('INVALID_REQUEST', 'The address of the request contains a NUL character.')
}

async function readBody(c: Context): Promise<unknown> {
  const text = await readText(c.req.raw.body)
  if (text === '') return undefined
  const type = c.req.header('content-type')
  if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type))
    throw new HoldfastError('INVALID_REQUEST', "The content-type of a request has to be 'application/json'.")
  return readJson(text)
}

/** Counts the bytes as they come: a body in chunks has no content-length. */
async function readText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = []
  const reader = body?.getReader()
  for (let length = 0; reader !== undefined; ) {
    const { value } = await reader.read()
    if (value === undefined) break
    length += value.byteLength
    // The reader is not cancelled: that would close the connection before the answer is sent.
    if (length > LARGEST_BODY_BYTES) throw tooLarge()
    chunks.push(value)
  }
  return decode(Buffer.concat(chunks))
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new HoldfastError('INVALID_REQUEST', 'The request is not UTF-8.', { cause })
  }
}

const tooLarge = () =>
  new HoldfastError('REQUEST_TOO_LARGE', `A request may have at most ${LARGEST_BODY_BYTES / MB} MB.`)
