import { type Context, Hono } from 'hono'
import { HoldfastError } from '../../../domain/errors.ts'
import { waitingAgents } from '../../../domain/settings/merge-config.ts'
import { isEnded } from '../../../domain/task/machine.ts'
import type { Task } from '../../../domain/task/task.ts'
import { parseContract } from '../../../domain/verify/contract.ts'
import type { CreatedJson, CreateTaskJson } from '../../../protocol/json/create-json.ts'
import type { PromptJson, ResultJson, ScreenJson } from '../../../protocol/json/life-json.ts'
import type { KilledJson } from '../../../protocol/json/order-json.ts'
import type { ResultSubmittedJson } from '../../../protocol/json/run-json.ts'
import { callerOf, checkOwnTask } from '../../caller.ts'
import type { Uses } from '../../context.ts'
import { envGiven } from '../../env-given.ts'
import { ordered } from '../../ordered.ts'
import { checkReach } from '../../reach.ts'
import { requestKeyOf } from '../../request-key.ts'
import { body, createTaskSchema, killSchema, resultSchema } from '../../requests/schemas.ts'
import type { BulkNeeds } from '../../streams/bulk-stream.ts'
import { notices } from '../../views/notices.ts'
import { oneTask, orderJson, statsJson, taskDetail } from '../../views/task.ts'
import { archiveRoutes } from './archive.ts'
import { conversationRoutes } from './conversation.ts'
import { killManyRoutes } from './kill-many.ts'
import { listRoutes } from './list.ts'
import { removeRoutes } from './remove.ts'

const MOST_ORDERS = 100

type TaskContext = Uses<
  | 'tasks'
  | 'operators'
  | 'orders'
  | 'lists'
  | 'look'
  | 'places'
  | 'daemon'
  | 'output'
  | 'conversation'
  | 'triggers'
  | 'outbox',
  BulkNeeds | 'loadConfig' | 'newName' | 'ownEnv'
>

export function taskRoutes(context: TaskContext): Hono {
  const { desk } = context
  const routes = new Hono()

  routes.post('/', async (c) => {
    const created = await create(c, context)
    return c.json(created, 201)
  })

  routes.route('/', listRoutes(context))
  routes.get('/stats', async (c) => c.json(statsJson(await desk.lists.counts())))
  routes.get('/:id', async (c) => {
    const task = await desk.tasks.find(c.req.param('id'))
    const caller = callerOf(c)
    if (caller.kind === 'run' && isEnded(task.status)) await desk.outbox.seenBy(caller.run, [task])
    return c.json(taskDetail(await desk.look.closely(task)))
  })

  routes.get('/:id/orders', async (c) => {
    const { id } = await desk.tasks.find(c.req.param('id'))
    return c.json({ orders: (await desk.orders.listOf(id, MOST_ORDERS)).map(orderJson) })
  })

  routes.post('/:id/kill', async (c) => {
    const { reason } = await body(c, killSchema)
    const task = await desk.tasks.find(c.req.param('id'))
    await checkReach(callerOf(c), task, 'kill', 'own_and_started', desk)
    const acted = await ordered(c, { taskId: task.id, kind: 'kill', words: reason ?? null }, context)
    const killed: KilledJson = {
      already_ended: !acted,
      task: oneTask(desk.look.briefly(await desk.tasks.get(task.id))),
    }
    return c.json(killed)
  })

  routes.route('/', killManyRoutes(context))
  routes.route('/', conversationRoutes(context))
  routes.route('/', archiveRoutes(context))
  routes.route('/', removeRoutes(context))

  routes.get('/:id/screen', async (c) => {
    const task = await desk.tasks.find(c.req.param('id'))
    const seen = await desk.output.screen(task)
    if (seen === undefined)
      throw new HoldfastError('TASK_NOT_ACTIVE', `Session ${task.id} has no screen yet.`)
    const shown: ScreenJson = { session_id: task.id, screen: seen.screen, live: seen.isLive }
    return c.json(shown)
  })

  routes.get('/:id/prompt', async (c) => {
    const { id, snapshot } = await desk.tasks.find(c.req.param('id'))
    const told: PromptJson = { session_id: id, prompt: snapshot.prompt }
    return c.json(told)
  })

  routes.get('/:id/result', async (c) => {
    const task = await desk.tasks.find(c.req.param('id'))
    const text = await desk.output.result(task)
    const result: ResultJson = { session_id: task.id, result: text === undefined ? null : JSON.parse(text) }
    return c.json(result)
  })

  routes.post('/:id/result', async (c) => {
    const { result } = await body(c, resultSchema)
    const task = await desk.tasks.find(c.req.param('id'))
    checkOwnTask(callerOf(c), task, 'hand in the result of')
    const file = await desk.output.submitResult(task, `${JSON.stringify(result ?? null, null, 2)}\n`)
    const submitted: ResultSubmittedJson = { session_id: task.id, result_file: file }
    return c.json(submitted)
  })

  return routes
}

async function create(
  c: Context,
  context: Uses<'tasks' | 'places' | 'look' | 'daemon', 'loadConfig' | 'ownEnv'>,
): Promise<CreatedJson> {
  const { desk } = context
  const asked = await body(c, createTaskSchema)
  const by = callerOf(c).name
  const key = requestKeyOf(c, 'POST /api/tasks', asked)
  const parent = await parentOf(c, context)
  const isWideMeant = asked.allow_wide_dir === true
  const allow = asked.allow_dir && parent === null ? { by, home: asked.env?.HOME, isWideMeant } : null
  const place = await desk.places.allowedToWorkIn(asked.dir, allow)
  const loaded = await context.loadConfig(place.project)
  if (parent !== null) await desk.tasks.checkDepth(parent, loaded.config['recursion.depth'])
  const extraDirs = await Promise.all((asked.extra_dirs ?? []).map(desk.places.realDirectory))
  const inherited = parent !== null && asked.env === undefined ? await desk.tasks.envOf(parent) : undefined
  const request = {
    ...defaults({ ...asked, env: inherited ?? envGiven(c, asked.env, context) }),
    waitingAgents: waitingAgents(loaded),
    place,
    extraDirs,
    by,
    ...(key && { key }),
  }
  const origin = { parentId: parent?.id ?? null, under: parent?.snapshot.permission ?? null }
  const task = await desk.tasks.create({ ...request, ...origin }, loaded.config)
  return { task: taskDetail(await desk.look.closely(task)), ...notices(place, task.mode, desk, task) }
}

/**
 * The task whose run asks; null when a person asks. Throws when the settings of its project do not allow it to start
 * tasks.
 */
async function parentOf(c: Context, { desk, loadConfig }: Uses<'tasks', 'loadConfig'>): Promise<Task | null> {
  const caller = callerOf(c)
  if (caller.kind !== 'run') return null
  const parent = await desk.tasks.ofRun(caller.run)
  const { config } = await loadConfig(parent.project)
  await desk.tasks.checkDepth(parent, config['recursion.depth'])
  return parent
}

function defaults(asked: CreateTaskJson) {
  const seconds = asked.max_duration_seconds
  return {
    prompt: asked.prompt,
    agent: asked.agent,
    role: asked.role,
    model: asked.model,
    name: asked.name,
    title: asked.title,
    mode: asked.mode ?? 'headless',
    converse: asked.converse ?? false,
    permission: asked.permissions,
    priority: asked.priority ?? 'normal',
    tags: asked.tags ?? [],
    meta: asked.meta ?? {},
    callerEnv: asked.env ?? {},
    setEnv: asked.set_env ?? {},
    command: asked.command ?? 'run',
    maxDurationMs: typeof seconds === 'number' ? Math.ceil(seconds * 1000) : seconds,
    verify: asked.verify && parseContract(asked.verify, '--verify'),
    noQueue: asked.no_queue ?? false,
  } as const
}
