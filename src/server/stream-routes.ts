import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Task } from '../domain/task.ts'
import { findTask } from '../supervisor/find-task.ts'
import type { ServerContext } from './context.ts'
import { followBytes, hasEnded, news, type ReadAt, readFileAt } from './follow.ts'
import { packedLog } from './packed-log.ts'

const EVENTS_PER_READ = 200

export function streamRoutes(context: ServerContext): Hono {
  const { core } = context.supervisor
  const { store } = core
  const routes = new Hono()
  const log = (c: Context, { id }: Task, path: string) =>
    packedLog(c, path) ?? followBytes(c, id, readFileAt(path), context)

  routes.get('/:id/output', async (c) => {
    const task = await findTask(store, c.req.param('id'))
    return log(c, task, core.handoff.paths(task).outputLog)
  })
  routes.get('/:id/session-log', async (c) => {
    const task = await findTask(store, c.req.param('id'))
    return log(c, task, core.handoff.paths(task).sessionLog)
  })
  routes.get('/:id/raw', async (c) => {
    const task = await findTask(store, c.req.param('id'))
    const { runId } = task
    const nothing = async () => ({ bytes: new Uint8Array(), size: 0 })
    if (runId === null) return followBytes(c, task.id, nothing, context)
    const read: ReadAt = (at, most) => core.runFiles.readEvents(runId, at, most)
    return packedLog(c, core.runFiles.eventsFile(runId)) ?? followBytes(c, task.id, read, context)
  })

  /** The sequence is the id, so a reader that was cut off goes on where it was. */
  routes.get('/:id/events', async (c) => {
    const task = await findTask(store, c.req.param('id'))
    let after = Number(c.req.header('last-event-id') ?? c.req.query('after') ?? 0) || 0
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
