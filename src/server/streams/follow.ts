// Owns streams that grow: a reader that goes away or is slow costs nothing but its own loop.
import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import type { TaskId } from '../../domain/names/ids.ts'
import type { Uses } from '../context.ts'
import { wholeNumber } from '../requests/query.ts'

/** News are a hint; this is how long a missed one can delay a reader. */
const LOOK_AGAIN_MS = 1000

/** From a byte offset to the end so far. */
export type ReadFrom = (offset: number) => AsyncIterable<Uint8Array>

/** Whether nothing more will be added to what is read. */
export type IsOver = (id: TaskId) => Promise<boolean>

/** From a byte offset to the end; with `follow`, until it is over and all of it is sent. */
export function followBytes(
  c: Context,
  id: TaskId,
  read: ReadFrom,
  isOver: IsOver,
  context: Uses<'wait', 'stopping'>,
): Response {
  let offset = offsetOf(c.req.query('from'))
  const follow = c.req.query('follow') === '1'
  c.header('content-type', 'text/plain; charset=utf-8')
  return stream(c, async (out) => {
    for (;;) {
      const over = await isOver(id)
      for await (const bytes of read(offset)) {
        if (out.aborted || context.stopping.aborted) return
        await out.write(bytes)
        offset += bytes.length
      }
      if (!follow || over) return
      await news(id, context)
      if (out.aborted || context.stopping.aborted) return
    }
  })
}

/** Something may have changed: there was news, a while went by, or the daemon stops. */
export const news = (id: TaskId, { desk, stopping }: Uses<'wait', 'stopping'>): Promise<void> =>
  desk.wait.forNews(id, LOOK_AGAIN_MS, stopping)

export const offsetOf = (text = '0') => wholeNumber('from', text)
