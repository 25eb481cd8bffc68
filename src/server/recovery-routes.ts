// Owns a person's part in recovery: bringing tasks back, taking them over, seeing why they wait and ending the wait.
import { type Context, Hono } from 'hono'
import { checkPrompt } from '../domain/check-prompt.ts'
import type { Task } from '../domain/task.ts'
import { isEnded } from '../domain/task-machine.ts'
import type { UnparkedJson } from '../protocol/recovery-json.ts'
import type { Core } from '../supervisor/core.ts'
import { agentEnv } from '../supervisor/create-task.ts'
import { driverOf } from '../supervisor/driver-of.ts'
import { findTask } from '../supervisor/find-task.ts'
import { handBack, takeOver } from '../supervisor/hand-over.ts'
import { personDecides } from '../supervisor/person-decides.ts'
import { isWaiting, unpark, unparkAll } from '../supervisor/unpark.ts'
import { actorOf, personOnly } from './caller.ts'
import type { ServerContext } from './context.ts'
import { parksJson } from './parks-view.ts'
import { body, resumeSchema, retrySchema } from './schemas.ts'
import { taskDetail } from './task-views.ts'
import { openQuestions, whyJson } from './why-view.ts'

type Env = Readonly<Record<string, string>>

export function recoveryRoutes(context: ServerContext): Hono {
  const { core } = context.supervisor
  const routes = new Hono()
  const taskOf = (c: Context) => findTask(core.store, c.req.param('id')!)
  const detail = async (c: Context, { id }: Task) =>
    c.json(await taskDetail((await core.store.task(id))!, core))

  routes.post('/tasks/:id/resume', async (c) => {
    personOnly(c, 'bring tasks back')
    const { prompt, env } = await body(c, resumeSchema)
    const task = await taskOf(c)
    const word = { by: actorOf(c), prompt: checked(prompt, core) }
    if (isWaiting(task)) await unpark(task, word, core)
    else
      await personDecides(task.id, { choice: 'resume', ...word, env: await envFor(task, env, context) }, core)
    return detail(c, task)
  })

  routes.post('/tasks/:id/retry', async (c) => {
    personOnly(c, 'begin tasks anew')
    const { env } = await body(c, retrySchema)
    const task = await taskOf(c)
    await personDecides(
      task.id,
      { choice: 'retry', by: actorOf(c), env: await envFor(task, env, context) },
      core,
    )
    return detail(c, task)
  })

  routes.post('/tasks/:id/takeover', async (c) => {
    personOnly(c, 'take tasks over')
    return detail(c, await takeOver(await taskOf(c), actorOf(c), core))
  })

  routes.post('/tasks/:id/handback', async (c) => {
    personOnly(c, 'hand tasks back')
    return detail(c, await handBack(await taskOf(c), actorOf(c), core))
  })

  routes.post('/tasks/:id/unpark', async (c) => {
    personOnly(c, 'wake tasks')
    const task = await taskOf(c)
    await unpark(task, { by: actorOf(c) }, core)
    const unparked: UnparkedJson = { opened: [], tasks: [task.id] }
    return c.json(unparked)
  })

  routes.post('/parks/unpark', async (c) => {
    personOnly(c, 'wake tasks')
    return c.json(await unparkAll(actorOf(c), core))
  })

  routes.get('/tasks/:id/why', async (c) => c.json(await whyJson(await taskOf(c), core)))
  routes.get('/questions', async (c) => c.json({ questions: await openQuestions(core) }))
  routes.get('/parks', async (c) => c.json(await parksJson(core)))

  return routes
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
