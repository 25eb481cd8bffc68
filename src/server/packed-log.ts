// Owns logs of archived tasks that are packed: read through from the beginning, as nothing is added to them any more.
import { createReadStream, existsSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import { offsetOf } from './follow.ts'

/** Undefined when it is not packed. */
export function packedLog(c: Context, path: string): Response | undefined {
  if (existsSync(path) || !existsSync(`${path}.gz`)) return undefined
  let skip = offsetOf(c.req.query('from'))
  c.header('content-type', 'text/plain; charset=utf-8')
  return stream(c, (out) =>
    pipeline(createReadStream(`${path}.gz`), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        if (out.aborted) return
        if (skip < chunk.length) await out.write(chunk.subarray(skip))
        skip = Math.max(0, skip - chunk.length)
      }
    }),
  )
}
