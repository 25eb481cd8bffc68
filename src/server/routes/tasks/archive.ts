import { Hono } from 'hono'
import type { TaskId } from '../../../domain/names/ids.ts'
import type { ArchivedJson } from '../../../protocol/json/order-json.ts'
import { callerOf } from '../../caller.ts'
import type { Uses } from '../../context.ts'
import { ordered } from '../../ordered.ts'
import { archiveSchema, body, nothingSchema } from '../../requests/schemas.ts'
import { wholeIds } from '../../requests/whole-ids.ts'
import { type Bulk, type BulkNeeds, bulkStream } from '../../streams/bulk-stream.ts'
import { oneTask } from '../../views/task.ts'

export function archiveRoutes(context: Uses<'tasks' | 'orders' | 'lists' | 'look', BulkNeeds>): Hono {
  const { desk } = context
  const routes = new Hono()
  const archived = async (id: TaskId, acted: boolean): Promise<ArchivedJson> => ({
    already_archived: !acted,
    task: oneTask(desk.look.briefly(await desk.tasks.get(id))),
  })

  routes.post('/:id/archive', async (c) => {
    await body(c, nothingSchema)
    const { id } = await desk.tasks.find(c.req.param('id'))
    return c.json(await archived(id, await ordered(c, { taskId: id, kind: 'archive' }, context)))
  })
  routes.post('/archive', async (c) => {
    const asked = await body(c, archiveSchema)
    const ids =
      'ids' in asked
        ? await wholeIds(asked.ids, desk)
        : await desk.lists.olderThan(Math.ceil(asked.older_than_seconds * 1000))
    const by = callerOf(c).name
    const bulk: Bulk<ArchivedJson> = {
      ids,
      give: async (id) => {
        const settled = await desk.orders.give({ taskId: id, kind: 'archive', by })
        return async () => archived(id, await settled())
      },
    }
    return bulkStream(c, bulk, context)
  })

  return routes
}
