// Owns waiting for tasks: a request that is answered as soon as one of the tasks needs somebody, or all are done.
import { Hono } from 'hono'
import { HoldfastError } from '../../../domain/errors.ts'
import { checkName } from '../../../domain/names/names.ts'
import type { MonitorLookJson } from '../../../protocol/json/monitor-json.ts'
import type { Awaited, Desk } from '../../../supervisor/desk.ts'
import { callerOf } from '../../caller.ts'
import type { Uses } from '../../context.ts'
import { body, monitorSchema } from '../../requests/schemas.ts'
import { eventJson, monitoredJson } from '../../views/monitor.ts'

export function monitorRoutes({ desk }: Uses<'monitor' | 'journal' | 'outbox'>): Hono {
  const routes = new Hono()

  routes.post('/', async (c) => {
    const asked = await body(c, monitorSchema)
    const cursor = asked.cursor === undefined ? null : `monitor/${checkName('Cursor', asked.cursor)}`
    if (asked.ack !== undefined) await acknowledge(cursor, asked.ack, desk)
    const { isOver, seen, tasks, unacknowledged } = await desk.monitor.look({
      ids: asked.ids,
      any: asked.any ?? false,
      until: asked.until === 'ended' ? 'ended' : 'rest',
      seen: asked.seen,
      waitMs: asked.wait_seconds * 1000,
      cursor,
    })
    const caller = callerOf(c)
    if (isOver && caller.kind === 'run') await desk.outbox.seenBy(caller.run, tasksAtRestOrOver(tasks))
    const look: MonitorLookJson = {
      over: isOver,
      seen,
      tasks: tasks.map(monitoredJson),
      cursor: unacknowledged?.cursor ?? null,
      events: unacknowledged?.events.map(eventJson) ?? [],
    }
    return c.json(look)
  })

  return routes
}

const tasksAtRestOrOver = (tasks: readonly Awaited[]) =>
  tasks.flatMap(({ task, final }) => (task === undefined || final === null ? [] : [task]))

async function acknowledge(
  cursor: string | null,
  seq: number,
  { journal }: Pick<Desk, 'journal'>,
): Promise<void> {
  if (cursor === null) throw new HoldfastError('INVALID_REQUEST', "'ack' needs a cursor.")
  if (await journal.acknowledge(cursor, seq)) return
  throw new HoldfastError(
    'INVALID_REQUEST',
    `'ack' must be the 'cursor' of an earlier answer: there is no event ${seq} yet.`,
  )
}
