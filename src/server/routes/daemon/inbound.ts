// Owns the one route by which channels reach us. It needs no token: each request carries the signature of its channel.
import { type Context, Hono } from 'hono'
import { HoldfastError, isHoldfastError } from '../../../domain/errors.ts'
import type { InboundReply } from '../../../ports/channel.ts'
import type { ServerContext } from '../../context.ts'
import { isTcp } from '../../via.ts'

const LARGEST_BYTES = 256 * 1024

/** `ofFailed` throws when somebody was refused too often. */
type Needs = Pick<ServerContext, 'notify'> & {
  readonly limits: { readonly ofFailed: (c: Context) => void }
}

export function inboundRoutes(needs: Needs): Hono {
  const routes = new Hono()
  routes.post('/:channel', async (c) => {
    const { status, type, body } = await received(c, needs)
    return new Response(body, { status, headers: { 'content-type': type } })
  })
  return routes
}

/** Whoever guesses signatures is slowed down; those that are right are not. */
async function received(c: Context, { notify, limits }: Needs): Promise<InboundReply> {
  const channel = c.req.param('channel') ?? ''
  try {
    return await notify.receive(channel, { headers: c.req.header(), body: await smallBody(c) })
  } catch (error) {
    if (isTcp(c) && isHoldfastError(error, 'INBOUND_REFUSED', 'CHANNEL_NOT_FOUND')) limits.ofFailed(c)
    throw error
  }
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
