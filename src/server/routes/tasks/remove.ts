import { Hono } from 'hono'
import type { TaskId } from '../../../domain/names/ids.ts'
import type { RemoveManyJson } from '../../../protocol/json/bulk-json.ts'
import type { RemovedJson } from '../../../protocol/json/order-json.ts'
import type { Desk } from '../../../supervisor/desk.ts'
import { callerOf } from '../../caller.ts'
import type { Uses } from '../../context.ts'
import { body, removeSchema } from '../../requests/schemas.ts'
import { wholeIds } from '../../requests/whole-ids.ts'
import { type Bulk, type BulkNeeds, bulkStream } from '../../streams/bulk-stream.ts'
import { oneTask } from '../../views/task.ts'

export function removeRoutes(context: Uses<'tasks' | 'lists' | 'look', BulkNeeds>): Hono {
  const { desk } = context
  const routes = new Hono()
  const remove = async (id: TaskId, by: string): Promise<RemovedJson> => ({
    removed: oneTask(desk.look.briefly(await desk.tasks.remove(id, by))),
  })

  routes.delete('/:id', async (c) => {
    const { id } = await desk.tasks.find(c.req.param('id'))
    return c.json(await remove(id, callerOf(c).name))
  })

  routes.post('/removable', async (c) => {
    const asked = await body(c, removeSchema)
    return c.json({ count: (await idsToRemove(asked, desk)).length })
  })

  routes.post('/remove', async (c) => {
    const asked = await body(c, removeSchema)
    const ids = await idsToRemove(asked, desk)
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

const idsToRemove = (asked: RemoveManyJson, desk: Pick<Desk, 'tasks' | 'lists'>): Promise<TaskId[]> =>
  'ids' in asked
    ? wholeIds(asked.ids, desk)
    : desk.lists.olderThan(Math.ceil(asked.older_than_seconds * 1000), { archived: true })
