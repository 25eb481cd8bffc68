import { type Context, Hono } from 'hono'
import type { TaskId } from '../../../domain/names/ids.ts'
import type { KilledJson } from '../../../protocol/json/order-json.ts'
import type { Desk } from '../../../supervisor/desk.ts'
import { callerOf, checkMayKillAll } from '../../caller.ts'
import type { Uses } from '../../context.ts'
import { checkReach } from '../../reach.ts'
import { body, killManySchema } from '../../requests/schemas.ts'
import { wholeIds } from '../../requests/whole-ids.ts'
import { type Bulk, type BulkNeeds, bulkStream } from '../../streams/bulk-stream.ts'
import { oneTask } from '../../views/task.ts'

/** Ending several tasks with one order. */
export function killManyRoutes(
  context: Uses<'tasks' | 'operators' | 'orders' | 'lists' | 'look', BulkNeeds>,
): Hono {
  const { desk } = context
  const routes = new Hono()

  routes.post('/kill', async (c) => {
    const { ids: given, project, reason } = await body(c, killManySchema)
    const ids = given === undefined ? await unended(c, project, desk) : await named(c, given, desk)
    const order = { by: callerOf(c).name, words: reason ?? null }
    const bulk: Bulk<KilledJson> = {
      ids,
      give: async (id) => {
        const settled = await desk.orders.give({ taskId: id, kind: 'kill', ...order })
        return async () => {
          const acted = await settled()
          return { already_ended: !acted, task: oneTask(desk.look.briefly(await desk.tasks.get(id))) }
        }
      },
    }
    return bulkStream(c, bulk, context)
  })

  return routes
}

/** A run may name only its own task and those that it started. */
const named = (c: Context, given: readonly string[], desk: Pick<Desk, 'tasks' | 'operators'>) =>
  wholeIds(given, desk, (task) => checkReach(callerOf(c), task, 'kill', 'own_and_started', desk))

function unended(c: Context, project: string | undefined, { lists }: Pick<Desk, 'lists'>): Promise<TaskId[]> {
  checkMayKillAll(callerOf(c))
  return lists.unended(project)
}
