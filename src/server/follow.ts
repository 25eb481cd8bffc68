// Owns streams that grow: a reader that goes away or is slow costs nothing but its own loop.
import { open } from 'node:fs/promises'
import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import { HoldfastError } from '../domain/errors.ts'
import type { TaskId } from '../domain/ids.ts'
import { isEnded } from '../domain/task-machine.ts'
import type { Chunk } from '../ports/run-files.ts'
import type { Core } from '../supervisor/core.ts'
import type { ServerContext } from './context.ts'

const CHUNK_BYTES = 256 * 1024
/** The bell is a hint; this is how long a missed one can delay a reader. */
const LOOK_AGAIN_MS = 1000

export type ReadAt = (offset: number, most: number) => Promise<Chunk>

/** From a byte offset to the end; with `follow`, until the task has ended and all of it is sent. */
export function followBytes(c: Context, id: TaskId, read: ReadAt, context: ServerContext): Response {
  const { core } = context.supervisor
  let offset = offsetOf(c.req.query('from'))
  const follow = c.req.query('follow') === '1'
  c.header('content-type', 'text/plain; charset=utf-8')
  return stream(c, async (out) => {
    while (!out.aborted && !context.stopping.aborted) {
      const over = await hasEnded(id, core)
      const { bytes } = await read(offset, CHUNK_BYTES)
      if (bytes.length > 0) {
        await out.write(bytes)
        offset += bytes.length
      } else if (!follow || over) return
      else await news(id, context)
    }
  })
}

export const readFileAt =
  (path: string): ReadAt =>
  async (offset, most) => {
    const file = await open(path, 'r').catch(() => undefined)
    if (file === undefined) return { bytes: new Uint8Array(), size: 0 }
    try {
      const { size } = await file.stat()
      const buffer = Buffer.alloc(Math.max(0, Math.min(most, size - offset)))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, offset)
      return { bytes: buffer.subarray(0, bytesRead), size }
    } finally {
      await file.close()
    }
  }

/** Something may have changed: the bell rang, a while went by, or the daemon stops. */
export function news(key: string, { supervisor: { core }, stopping }: ServerContext): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      off()
      cancel()
      stopping.removeEventListener('abort', done)
      resolve()
    }
    const off = core.bell.on(key, done)
    const cancel = core.clock.after(LOOK_AGAIN_MS, done)
    stopping.addEventListener('abort', done)
  })
}

/** Ended means: also tidied away, so that nothing more is written. */
export async function hasEnded(id: TaskId, core: Core): Promise<boolean> {
  const task = await core.store.task(id)
  return task === undefined || isEnded(task.status)
}

export function offsetOf(text: string | undefined): number {
  const offset = Number(text ?? 0)
  if (!Number.isSafeInteger(offset) || offset < 0)
    throw new HoldfastError('INVALID_REQUEST', `'from' must be a byte offset.`)
  return offset
}
