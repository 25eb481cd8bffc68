// Owns the one route by which channels reach us. It needs no token: each request carries the signature of its channel.
import { type Context, Hono } from 'hono'
import { HoldfastError } from '../../domain/errors.ts'
import type { ServerContext } from '../context.ts'

const LARGEST_BYTES = 256 * 1024

export function inboundRoutes({ notify }: Pick<ServerContext, 'notify'>): Hono {
  const routes = new Hono()
  routes.post('/:channel', async (c) => {
    const request = { headers: c.req.header(), body: await smallBody(c) }
    const { status, type, body } = await notify.receive(c.req.param('channel'), request)
    return new Response(body, { status, headers: { 'content-type': type } })
  })
  return routes
}

/** As it came: the signature is over its bytes. Counted as they come: a body in chunks has no content-length. */
async function smallBody(c: Context): Promise<string> {
  const chunks: Uint8Array[] = []
  const reader = c.req.raw.body?.getReader()
  for (let length = 0; reader !== undefined; ) {
    const { value } = await reader.read()
    if (value === undefined) break
    length += value.byteLength
    if (length > LARGEST_BYTES)
      throw new HoldfastError(
        'REQUEST_TOO_LARGE',
        `A request here may have at most ${LARGEST_BYTES / 1024} KB.`,
      )
    chunks.push(value)
  }
  return Buffer.concat(chunks).toString()
}
