import { setImmediate as letOthersWork } from 'node:timers/promises'
import { type Context, Hono } from 'hono'
import type { TaskId } from '../../domain/names/ids.ts'
import type { TaskStatus } from '../../domain/task/machine.ts'
import type { ListPlace } from '../../ports/store.ts'
import type { KilledJson } from '../../protocol/api.ts'
import type { Core } from '../../supervisor/task/core.ts'
import { callerOf, checkOwnTask, checkPerson } from '../caller.ts'
import type { ServerContext } from '../context.ts'
import { body, killManySchema } from '../requests/schemas.ts'
import { wholeIds } from '../requests/whole-ids.ts'
import { type Bulk, bulkStream } from '../streams/bulk-stream.ts'
import { oneTask } from '../views/task.ts'

const PER_READ = 500

/** Ending several tasks with one order. */
export function killManyRoutes(context: ServerContext): Hono {
  const { core } = context.supervisor
  const routes = new Hono()

  routes.post('/kill', async (c) => {
    const { ids: given, project, reason } = await body(c, killManySchema)
    const ids = given === undefined ? await unended(c, project, core) : await named(c, given, core)
    const order = { by: callerOf(c).name, words: reason ?? null }
    const bulk: Bulk<KilledJson> = {
      ids,
      give: async (id) => {
        const settled = await context.supervisor.orders.give({ taskId: id, kind: 'kill', ...order })
        return async () => {
          const acted = await settled()
          return { already_ended: !acted, task: oneTask((await core.store.task(id))!, core) }
        }
      },
    }
    return bulkStream(c, bulk, context)
  })

  return routes
}

/** A run may end itself, whatever it is called. */
const named = (c: Context, given: readonly string[], core: Core) =>
  wholeIds(given, core, (task) => {
    checkOwnTask(callerOf(c), task)
  })

/** Queued ones first: they would be started as soon as others leave their slots. */
async function unended(c: Context, project: string | undefined, core: Core): Promise<TaskId[]> {
  checkPerson(callerOf(c))
  const queued = await idsIn(['pending'], project, core)
  return [...queued, ...(await idsIn(['running', 'waiting_input'], project, core))]
}

async function idsIn(
  statuses: readonly TaskStatus[],
  project: string | undefined,
  { store }: Core,
): Promise<TaskId[]> {
  const ids: TaskId[] = []
  for (let after: ListPlace | null = null; ; ) {
    const { items, next } = await store.rowPage(
      { statuses, project },
      { after, most: PER_READ, mostEnded: 0 },
    )
    ids.push(...items.map(({ id }) => id))
    if (next === null) return ids
    after = next
    await letOthersWork()
  }
}
