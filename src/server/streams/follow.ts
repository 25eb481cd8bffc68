// Owns streams that grow: a reader that goes away or is slow costs nothing but its own loop.
import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import type { TaskId } from '../../domain/names/ids.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Core } from '../../supervisor/task/core.ts'
import type { ServerContext } from '../context.ts'
import { wholeNumber } from '../requests/query.ts'
import { isAtRest } from './rests.ts'

/** News are a hint; this is how long a missed one can delay a reader. */
const LOOK_AGAIN_MS = 1000

/** From a byte offset to the end so far. */
export type ReadFrom = (offset: number) => AsyncIterable<Uint8Array>

/** Whether nothing more will be added to what is read. */
export type IsOver = (id: TaskId, core: Core) => Promise<boolean>

/** From a byte offset to the end; with `follow`, until it is over and all of it is sent. */
export function followBytes(
  c: Context,
  id: TaskId,
  read: ReadFrom,
  isOver: IsOver,
  context: ServerContext,
): Response {
  const { core } = context.supervisor
  let offset = offsetOf(c.req.query('from'))
  const follow = c.req.query('follow') === '1'
  c.header('content-type', 'text/plain; charset=utf-8')
  return stream(c, async (out) => {
    for (;;) {
      const over = await isOver(id, core)
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
export function news(key: string, { supervisor: { core }, stopping }: ServerContext): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      off()
      cancel()
      stopping.removeEventListener('abort', done)
      resolve()
    }
    const off = core.waiters.on(key, done)
    const cancel = core.clock.after(LOOK_AGAIN_MS, done)
    stopping.addEventListener('abort', done)
  })
}

/** All that its agent said was read before its end was stored. */
export const hasEnded: IsOver = async (id, core) => {
  const task = await core.store.task(id)
  return task === undefined || isEnded(task.status)
}

/** Nor does one at rest say anything before it is told something. */
export const isAtRestOrOver: IsOver = async (id, core) => {
  const task = await core.store.task(id)
  return task === undefined || isEnded(task.status) || (await isAtRest(task, core))
}

/** Its files follow what is stored: they are whole when it is tidied up. Should that fail, nobody waits for ever. */
const LONGEST_TIDYING_MS = 60_000

export const isTidied: IsOver = async (id, core) => {
  const task = await core.store.task(id)
  if (task === undefined) return true
  if (!isEnded(task.status)) return false
  if (core.clock.now() - (task.endedAt ?? 0) > LONGEST_TIDYING_MS) return true
  return !(await core.store.untidied()).includes(id)
}

export const offsetOf = (text = '0') => wholeNumber('from', text)
