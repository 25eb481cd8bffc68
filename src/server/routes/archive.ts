import { Hono } from 'hono'
import type { TaskId } from '../../domain/names/ids.ts'
import type { ArchivedJson } from '../../protocol/api.ts'
import { findTask } from '../../supervisor/task/find-task.ts'
import { olderThan } from '../../supervisor/upkeep/archive-tasks.ts'
import { callerOf } from '../caller.ts'
import type { ServerContext } from '../context.ts'
import { ordered } from '../ordered.ts'
import { archiveSchema, body, nothingSchema } from '../requests/schemas.ts'
import { wholeIds } from '../requests/whole-ids.ts'
import { type Bulk, bulkStream } from '../streams/bulk-stream.ts'
import { oneTask } from '../views/task.ts'

export function archiveRoutes(context: ServerContext): Hono {
  const { core } = context.supervisor
  const routes = new Hono()
  const archived = async (id: TaskId, acted: boolean): Promise<ArchivedJson> => ({
    already_archived: !acted,
    task: oneTask((await core.store.task(id))!, core),
  })

  routes.post('/:id/archive', async (c) => {
    await body(c, nothingSchema)
    const { id } = await findTask(core.store, c.req.param('id'))
    return c.json(await archived(id, await ordered(c, { taskId: id, kind: 'archive' }, context)))
  })
  routes.post('/archive', async (c) => {
    const asked = await body(c, archiveSchema)
    const ids =
      'ids' in asked
        ? await wholeIds(asked.ids, core)
        : await olderThan(Math.ceil(asked.older_than_seconds * 1000), core)
    const by = callerOf(c).name
    const bulk: Bulk<ArchivedJson> = {
      ids,
      give: async (id) => {
        const settled = await context.supervisor.orders.give({ taskId: id, kind: 'archive', by })
        return async () => archived(id, await settled())
      },
    }
    return bulkStream(c, bulk, context)
  })

  return routes
}
