// Owns streaming files that grow. A slow or absent reader holds up only its own loop.
import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import type { TaskId } from '../../domain/names/ids.ts'
import type { Uses } from '../context.ts'
import { wholeNumber } from '../requests/query.ts'

/** A reader looks again after this time, in case it missed news. */
const LOOK_AGAIN_MS = 1000

/** The bytes from an offset to the current end. */
export type ReadFrom = (offset: number) => AsyncIterable<Uint8Array>

/** Whether nothing more will be added. */
export type IsOver = (id: TaskId) => Promise<boolean>

/**
 * Sends everything from the offset `from` to the current end; with `follow=1`, goes on until nothing more will be
 * added.
 */
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

/** Resolves when something may have changed: there was news of the task, a second went by, or the daemon stops. */
export const news = (id: TaskId, { desk, stopping }: Uses<'wait', 'stopping'>): Promise<void> =>
  desk.wait.forNews(id, LOOK_AGAIN_MS, stopping)

export const offsetOf = (text = '0') => wholeNumber('from', text)
