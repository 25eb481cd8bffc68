import { Hono } from 'hono'
import type { TaskId } from '../domain/ids.ts'
import type { ArchivedJson } from '../protocol/api.ts'
import { archiveOlder, archiveTask } from '../supervisor/archive-tasks.ts'
import { findTask } from '../supervisor/find-task.ts'
import { actorOf, personOnly } from './caller.ts'
import type { ServerContext } from './context.ts'
import { archiveSchema, body } from './schemas.ts'
import { oneTask } from './task-views.ts'

export function archiveRoutes(context: ServerContext): Hono {
  const { core } = context.supervisor
  const routes = new Hono()
  const archived = async (id: TaskId, acted: boolean): Promise<ArchivedJson> => ({
    already_archived: !acted,
    task: oneTask((await core.store.task(id))!, core),
  })

  routes.post('/:id/archive', async (c) => {
    personOnly(c, 'archive tasks')
    const { id } = await findTask(core.store, c.req.param('id'))
    return c.json(await archived(id, await archiveTask(id, actorOf(c), core)))
  })
  routes.post('/archive', async (c) => {
    personOnly(c, 'archive tasks')
    const { older_than_seconds } = await body(c, archiveSchema)
    const ids = await archiveOlder(older_than_seconds * 1000, actorOf(c), core)
    return c.json({ results: await Promise.all(ids.map((id) => archived(id, true))) })
  })

  return routes
}
