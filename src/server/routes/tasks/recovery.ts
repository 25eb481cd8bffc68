// Owns what a person does for recovery: bringing tasks back, taking them over, seeing why they wait, ending the wait.
import { type Context, Hono } from 'hono'
import { isHoldfastError } from '../../../domain/errors.ts'
import type { TaskId } from '../../../domain/names/ids.ts'
import { isEnded } from '../../../domain/task/machine.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { UnparkedJson, UnparkedOneJson } from '../../../protocol/json/recovery-json.ts'
import type { Desk } from '../../../supervisor/desk.ts'
import { callerOf } from '../../caller.ts'
import type { Uses } from '../../context.ts'
import { envGiven } from '../../env-given.ts'
import { ordered } from '../../ordered.ts'
import { wholeNumber } from '../../requests/query.ts'
import { body, nothingSchema, resumeSchema, retrySchema } from '../../requests/schemas.ts'
import { type Bulk, type BulkNeeds, bulkStream } from '../../streams/bulk-stream.ts'
import { outageJson } from '../../views/outage.ts'
import { parksJson } from '../../views/parks.ts'
import { taskDetail } from '../../views/task.ts'
import { lastRunsJson, openQuestionJson, RUNS_WITH_STEPS, whyJson } from '../../views/why.ts'

type Env = Readonly<Record<string, string>>

type RecoveryContext = Uses<
  'tasks' | 'orders' | 'conversation' | 'look' | 'gates' | 'daemon',
  BulkNeeds | 'loadConfig' | 'ownEnv'
>

export function recoveryRoutes(context: RecoveryContext): Hono {
  const { desk } = context
  const routes = new Hono()
  const detail = async (c: Context, { id }: Task) =>
    c.json(taskDetail(await desk.look.closely(await desk.tasks.get(id))))

  routes.post('/tasks/:id/resume', async (c) => {
    const { prompt, env } = await body(c, resumeSchema)
    const task = await desk.tasks.find(c.req.param('id'))
    const words = prompt === undefined ? null : desk.conversation.checkPrompt(prompt, task)
    const given = {
      taskId: task.id,
      kind: 'resume',
      words,
      env: await envFor(task, envGiven(c, env, context), context),
    } as const
    await ordered(c, given, context)
    return detail(c, task)
  })

  routes.post('/tasks/:id/retry', async (c) => {
    const { env } = await body(c, retrySchema)
    const task = await desk.tasks.find(c.req.param('id'))
    await ordered(
      c,
      { taskId: task.id, kind: 'retry', env: await envFor(task, envGiven(c, env, context), context) },
      context,
    )
    return detail(c, task)
  })

  routes.post('/tasks/:id/takeover', async (c) => {
    await body(c, nothingSchema)
    const task = await desk.tasks.find(c.req.param('id'))
    await ordered(c, { taskId: task.id, kind: 'takeover' }, context)
    return detail(c, task)
  })

  routes.post('/tasks/:id/handback', async (c) => {
    await body(c, nothingSchema)
    const task = await desk.tasks.find(c.req.param('id'))
    await ordered(c, { taskId: task.id, kind: 'handback' }, context)
    return detail(c, task)
  })

  routes.post('/tasks/:id/unpark', async (c) => {
    await body(c, nothingSchema)
    const task = await desk.tasks.find(c.req.param('id'))
    await ordered(c, { taskId: task.id, kind: 'unpark' }, context)
    const unparked: UnparkedJson = { opened: [], tasks: [task.id] }
    return c.json(unparked)
  })

  routes.post('/parks/unpark', async (c) => {
    await body(c, nothingSchema)
    const by = callerOf(c).name
    const opened = await desk.gates.openAll(by)
    const ids = await desk.gates.parkedTasks()
    const bulk: Bulk<UnparkedOneJson> = {
      ids,
      first: opened.map((key) => ({ opened: key })),
      give: async (id) => {
        const settled = await desk.orders.give({ taskId: id, kind: 'unpark', by })
        return async () => {
          await settled().catch(unlessItGoesOn)
          return { session_id: id }
        }
      },
      after: () => desk.tasks.whenScheduled(),
      whole: (results) => ({
        opened: results.flatMap((one) => ('opened' in one ? one.opened : [])),
        tasks: results.flatMap((one) => ('session_id' in one ? one.session_id : [])),
      }),
    }
    return bulkStream(c, bulk, context)
  })

  routes.get('/tasks/:id/why', async (c) =>
    c.json(whyJson(await desk.look.story(await desk.tasks.find(c.req.param('id'))))),
  )
  routes.get('/tasks/:id/runs', async (c) => {
    const most = wholeNumber('last', c.req.query('last') ?? '1', { least: 1, most: RUNS_WITH_STEPS })
    const { id } = await desk.tasks.find(c.req.param('id'))
    return c.json(lastRunsJson(await desk.look.lastRuns(id, most)))
  })
  routes.get('/questions', async (c) => {
    const task = c.req.query('task')
    const id = task === undefined ? undefined : (await desk.tasks.find(task)).id
    return c.json(await waitingForPeople(desk, id))
  })
  routes.get('/parks', async (c) => c.json(parksJson(await desk.gates.look())))

  return routes
}

/** A task that was parked a moment ago may go on already, because its gate was opened. */
function unlessItGoesOn(error: unknown): void {
  if (!isHoldfastError(error, 'NOT_PARKED', 'TASK_ACTIVE', 'ORDER_TOO_LATE')) throw error
}

/** A tmux that cannot be used is shown as one problem, however many tasks wait for it. */
async function waitingForPeople({ look, daemon }: Pick<Desk, 'look' | 'daemon'>, only: TaskId | undefined) {
  const outage = await daemon.outage()
  return {
    questions: (await look.unansweredQuestions(only)).map(openQuestionJson),
    tmux: outage === null || outage.waiting.length === 0 ? null : outageJson(outage),
  }
}

/** The environment for a task that is brought back. Undefined for a task that has not ended: it still has its own. */
async function envFor(
  task: Task,
  env: Env,
  { desk, loadConfig }: Uses<'orders', 'loadConfig'>,
): Promise<Env | undefined> {
  if (!isEnded(task.status)) return undefined
  const { config } = await loadConfig(task.project)
  return desk.orders.envForEnded(task, env, config)
}
