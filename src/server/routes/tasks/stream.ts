import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Task } from '../../../domain/task/task.ts'
import type { TaskLog } from '../../../ports/files/handoff.ts'
import type { Uses } from '../../context.ts'
import { wholeNumber } from '../../requests/query.ts'
import { eventData } from '../../streams/event-text.ts'
import { followBytes, type IsOver, news } from '../../streams/follow.ts'

const EVENTS_PER_READ = 200

/** A client that was cut off sends the header `last-event-id` by itself when it connects again. */
function afterOf(c: Context): number {
  const header = c.req.header('last-event-id')
  return header === undefined
    ? wholeNumber('after', c.req.query('after') ?? '0')
    : wholeNumber('Last-Event-ID', header)
}

export function streamRoutes(context: Uses<'tasks' | 'output' | 'journal' | 'wait', 'stopping'>): Hono {
  const { tasks, output, journal } = context.desk
  const routes = new Hono()
  const log = (c: Context, task: Task, name: TaskLog, isOver: IsOver) =>
    followBytes(
      c,
      task.id,
      { read: (from) => output.log(task, name, from), size: () => output.logSize(task, name) },
      isOver,
      context,
    )

  routes.get('/:id/output', async (c) => {
    const task = await tasks.find(c.req.param('id'))
    const isOver = c.req.query('until') === 'idle' ? output.isAtRestOrOver : output.hasEnded
    return log(c, task, 'output.log', isOver)
  })
  routes.get('/:id/session-log', async (c) => {
    const task = await tasks.find(c.req.param('id'))
    return log(c, task, 'session.log', output.isTidied)
  })
  routes.get('/:id/raw', async (c) => {
    const task = await tasks.find(c.req.param('id'))
    const read = (from: number) => output.agentLines(task, from)
    return followBytes(c, task.id, { read }, output.hasEnded, context)
  })

  /** The id of each message is the event's number, so that a client that was cut off can go on from there. */
  routes.get('/:id/events', async (c) => {
    const task = await tasks.find(c.req.param('id'))
    const follow = c.req.query('follow') !== '0'
    let after = afterOf(c)
    return streamSSE(c, async (out) => {
      while (!out.aborted && !context.stopping.aborted) {
        const over = await output.hasEnded(task.id)
        const events = await journal.eventsOf(task.id, after, EVENTS_PER_READ)
        for (const event of events) {
          await out.writeSSE({
            id: String(event.seq),
            event: event.kind,
            data: JSON.stringify(eventData(event)),
          })
          after = event.seq
        }
        if (events.length > 0) continue
        if (over || !follow) return
        await news(task.id, context)
      }
    })
  })

  return routes
}
