import { Hono } from 'hono'
import type { TaskId } from '../../domain/names/ids.ts'
import type { RemovedJson } from '../../protocol/api.ts'
import type { RemoveManyJson } from '../../protocol/bulk-json.ts'
import type { Core } from '../../supervisor/task/core.ts'
import { findTask } from '../../supervisor/task/find-task.ts'
import { olderThan } from '../../supervisor/upkeep/archive-tasks.ts'
import { removeTask } from '../../supervisor/upkeep/remove-task.ts'
import { callerOf } from '../caller.ts'
import type { ServerContext } from '../context.ts'
import { body, removeSchema } from '../requests/schemas.ts'
import { wholeIds } from '../requests/whole-ids.ts'
import { type Bulk, bulkStream } from '../streams/bulk-stream.ts'
import { oneTask } from '../views/task.ts'

export function removeRoutes(context: ServerContext): Hono {
  const { core } = context.supervisor
  const routes = new Hono()
  const remove = async (id: TaskId, by: string): Promise<RemovedJson> => ({
    removed: oneTask(await removeTask(id, by, core), core),
  })

  routes.delete('/:id', async (c) => {
    const { id } = await findTask(core.store, c.req.param('id'))
    return c.json(await remove(id, callerOf(c).name))
  })

  routes.post('/removable', async (c) => {
    const asked = await body(c, removeSchema)
    return c.json({ count: (await meant(asked, core)).length })
  })

  routes.post('/remove', async (c) => {
    const asked = await body(c, removeSchema)
    const ids = await meant(asked, core)
    const by = callerOf(c).name
    const bulk: Bulk<RemovedJson> = {
      ids,
      give: async (id) => {
        const removed = await remove(id, by)
        return async () => removed
      },
    }
    return bulkStream(c, bulk, context)
  })

  return routes
}

const meant = (asked: RemoveManyJson, core: Core): Promise<TaskId[]> =>
  'ids' in asked
    ? wholeIds(asked.ids, core)
    : olderThan(Math.ceil(asked.older_than_seconds * 1000), core, { archived: true })
