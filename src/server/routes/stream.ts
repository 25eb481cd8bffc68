import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Task } from '../../domain/task/task.ts'
import type { TaskLog } from '../../ports/handoff.ts'
import { findTask } from '../../supervisor/task/find-task.ts'
import type { ServerContext } from '../context.ts'
import { wholeNumber } from '../requests/query.ts'
import {
  followBytes,
  hasEnded,
  type IsOver,
  isAtRestOrOver,
  isTidied,
  news,
  type ReadFrom,
} from '../streams/follow.ts'

const EVENTS_PER_READ = 200

/** A reader that was cut off sends the header by itself. */
function afterOf(c: Context): number {
  const header = c.req.header('last-event-id')
  return header === undefined
    ? wholeNumber('after', c.req.query('after') ?? '0')
    : wholeNumber('Last-Event-ID', header)
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

export function streamRoutes(context: ServerContext): Hono {
  const { core } = context.supervisor
  const { store } = core
  const routes = new Hono()
  const log = (c: Context, task: Task, name: TaskLog, isOver: IsOver) =>
    followBytes(c, task.id, (from) => core.handoff.readLog(task, name, from), isOver, context)

  routes.get('/:id/output', async (c) => {
    const task = await findTask(store, c.req.param('id'))
    const isOver = c.req.query('until') === 'idle' ? isAtRestOrOver : hasEnded
    return log(c, task, 'output.log', isOver)
  })
  routes.get('/:id/session-log', async (c) => {
    const task = await findTask(store, c.req.param('id'))
    return log(c, task, 'session.log', isTidied)
  })
  routes.get('/:id/raw', async (c) => {
    const task = await findTask(store, c.req.param('id'))
    const { runId } = task
    const read: ReadFrom = (from) => (runId === null ? nothing() : core.runFiles.eventsFrom(runId, from))
    return followBytes(c, task.id, read, hasEnded, context)
  })

  /** The sequence is the id, so a reader that was cut off goes on where it was. */
  routes.get('/:id/events', async (c) => {
    const task = await findTask(store, c.req.param('id'))
    let after = afterOf(c)
    return streamSSE(c, async (out) => {
      while (!out.aborted && !context.stopping.aborted) {
        const over = await hasEnded(task.id, core)
        const events = await store.events(after, EVENTS_PER_READ, task.id)
        for (const { seq, kind, at, data } of events) {
          await out.writeSSE({
            id: String(seq),
            event: kind,
            data: JSON.stringify({ seq, at, task: task.id, ...data }),
          })
          after = seq
        }
        if (events.length > 0) continue
        if (over) return
        await news(task.id, context)
      }
    })
  })

  return routes
}
