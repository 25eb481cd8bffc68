// Owns streaming files that grow. A slow or absent reader holds up only its own loop.
import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import { HoldfastError } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { HEADER_FROM } from '../../protocol/headers.ts'
import type { Uses } from '../context.ts'
import { wholeNumber } from '../requests/query.ts'

/** A reader looks again after this time, in case it missed news. */
const LOOK_AGAIN_MS = 1000

/** `read`: the bytes from an offset to the current end. `size`: how many there are now, where `last` is served. */
export type Bytes = {
  readonly read: (offset: number) => AsyncIterable<Uint8Array>
  readonly size?: () => Promise<number>
}

/** Whether nothing more will be added. */
export type IsOver = (id: TaskId) => Promise<boolean>

/**
 * Sends everything from the offset `from` to the current end; with `follow=1`, goes on until nothing more will be
 * added. With `last`, it begins so many bytes before the end; with `most`, it ends after so many. The answer's header
 * says where it begins.
 */
export async function followBytes(
  c: Context,
  id: TaskId,
  { read, size }: Bytes,
  isOver: IsOver,
  context: Uses<'wait', 'stopping'>,
): Promise<Response> {
  const { last, most } = c.req.query()
  let offset =
    last === undefined
      ? offsetOf(c.req.query('from'))
      : Math.max(0, (await sizeOf(size)) - wholeNumber('last', last))
  const end = most === undefined ? Number.POSITIVE_INFINITY : offset + wholeNumber('most', most)
  const follow = c.req.query('follow') === '1'
  c.header('content-type', 'text/plain; charset=utf-8')
  c.header(HEADER_FROM, String(offset))
  return stream(c, async (out) => {
    for (;;) {
      const over = await isOver(id)
      for await (const bytes of read(offset)) {
        if (out.aborted || context.stopping.aborted) return
        await out.write(bytes.subarray(0, end - offset))
        offset = Math.min(offset + bytes.length, end)
        if (offset === end) return
      }
      if (!follow || over) return
      await news(id, context)
      if (out.aborted || context.stopping.aborted) return
    }
  })
}

async function sizeOf(size: Bytes['size']): Promise<number> {
  if (size !== undefined) return size()
  throw new HoldfastError('INVALID_REQUEST', "This log cannot be asked for by 'last'.")
}

/** Resolves when something may have changed: there was news of the task, a second went by, or the daemon stops. */
export const news = (id: TaskId, { desk, stopping }: Uses<'wait', 'stopping'>): Promise<void> =>
  desk.wait.forNews(id, LOOK_AGAIN_MS, stopping)

const offsetOf = (text = '0') => wholeNumber('from', text)
