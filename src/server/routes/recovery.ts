// Owns a person's part in recovery: bringing tasks back, taking them over, seeing why they wait and ending the wait.
import { type Context, Hono } from 'hono'
import { checkPrompt } from '../../domain/conversation/check-prompt.ts'
import { isHoldfastError } from '../../domain/errors.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Task } from '../../domain/task/task.ts'
import type { UnparkedJson, UnparkedOneJson } from '../../protocol/recovery-json.ts'
import { openGates, parkedTasks } from '../../supervisor/orders/unpark.ts'
import { agentEnv } from '../../supervisor/starting/create-task.ts'
import type { Core } from '../../supervisor/task/core.ts'
import { driverOf } from '../../supervisor/task/driver-of.ts'
import { findTask } from '../../supervisor/task/find-task.ts'
import { callerOf } from '../caller.ts'
import type { ServerContext } from '../context.ts'
import { ordered } from '../ordered.ts'
import { body, nothingSchema, resumeSchema, retrySchema } from '../requests/schemas.ts'
import { type Bulk, bulkStream } from '../streams/bulk-stream.ts'
import { outageJson } from '../views/outage.ts'
import { parksJson } from '../views/parks.ts'
import { taskDetail } from '../views/task.ts'
import { openQuestions, whyJson } from '../views/why.ts'

type Env = Readonly<Record<string, string>>

export function recoveryRoutes(context: ServerContext): Hono {
  const { core } = context.supervisor
  const routes = new Hono()
  const taskOf = (c: Context) => findTask(core.store, c.req.param('id')!)
  const detail = async (c: Context, { id }: Task) =>
    c.json(await taskDetail((await core.store.task(id))!, core))

  routes.post('/tasks/:id/resume', async (c) => {
    const { prompt, env } = await body(c, resumeSchema)
    const task = await taskOf(c)
    const words = checked(prompt, core) ?? null
    const given = { taskId: task.id, kind: 'resume', words, env: await envFor(task, env, context) } as const
    await ordered(c, given, context)
    return detail(c, task)
  })

  routes.post('/tasks/:id/retry', async (c) => {
    const { env } = await body(c, retrySchema)
    const task = await taskOf(c)
    await ordered(c, { taskId: task.id, kind: 'retry', env: await envFor(task, env, context) }, context)
    return detail(c, task)
  })

  routes.post('/tasks/:id/takeover', async (c) => {
    await body(c, nothingSchema)
    const task = await taskOf(c)
    await ordered(c, { taskId: task.id, kind: 'takeover' }, context)
    return detail(c, task)
  })

  routes.post('/tasks/:id/handback', async (c) => {
    await body(c, nothingSchema)
    const task = await taskOf(c)
    await ordered(c, { taskId: task.id, kind: 'handback' }, context)
    return detail(c, task)
  })

  routes.post('/tasks/:id/unpark', async (c) => {
    await body(c, nothingSchema)
    const task = await taskOf(c)
    await ordered(c, { taskId: task.id, kind: 'unpark' }, context)
    const unparked: UnparkedJson = { opened: [], tasks: [task.id] }
    return c.json(unparked)
  })

  routes.post('/parks/unpark', async (c) => {
    await body(c, nothingSchema)
    const by = callerOf(c).name
    const opened = await openGates(by, core)
    const ids = await parkedTasks(core)
    const bulk: Bulk<UnparkedOneJson> = {
      ids,
      first: opened.map((key) => ({ opened: key })),
      give: async (id) => {
        const settled = await context.supervisor.orders.give({ taskId: id, kind: 'unpark', by })
        return async () => {
          await settled().catch(unlessItGoesOn)
          return { session_id: id }
        }
      },
      after: () => core.whenScheduled(),
      whole: (results) => ({
        opened: results.flatMap((one) => ('opened' in one ? one.opened : [])),
        tasks: results.flatMap((one) => ('session_id' in one ? one.session_id : [])),
      }),
    }
    return bulkStream(c, bulk, context)
  })

  routes.get('/tasks/:id/why', async (c) => c.json(await whyJson(await taskOf(c), core)))
  routes.get('/questions', async (c) => c.json(await waitingForPeople(core)))
  routes.get('/parks', async (c) => c.json(await parksJson(core)))

  return routes
}

/** Of all that were parked, one may go on already, because its gate was opened. */
function unlessItGoesOn(error: unknown): void {
  if (!isHoldfastError(error, 'NOT_PARKED', 'TASK_ACTIVE', 'ORDER_TOO_LATE')) throw error
}

/** A tmux that cannot be used is one thing for a person to see to, however many wait for it. */
async function waitingForPeople(core: Core) {
  const outage = await outageJson(core)
  return {
    questions: await openQuestions(core),
    tmux: outage === null || outage.waiting.length === 0 ? null : outage,
  }
}

const checked = (prompt: string | undefined, { config }: Core) =>
  prompt === undefined ? undefined : checkPrompt(Buffer.from(prompt), config['prompt.maxBytes'])

/** An ended task has none any more. It gets the caller's, filtered like at its creation; the names it had then count as asked for. */
async function envFor(task: Task, env: Env = {}, context: ServerContext): Promise<Env | undefined> {
  if (!isEnded(task.status)) return undefined
  const { config } = await context.loadConfig(task.project)
  const had = Object.entries(env).filter(([name]) => task.snapshot.envNames.includes(name))
  const given = { callerEnv: env, setEnv: Object.fromEntries(had) }
  return agentEnv(given, driverOf(task, context.supervisor.core), config)
}
