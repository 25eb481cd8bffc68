import { type Context, Hono } from 'hono'
import { HoldfastError } from '../domain/errors.ts'
import { waitingAgents } from '../domain/merge-config.ts'
import { tmuxSessionName } from '../domain/names.ts'
import { statusesFor } from '../domain/status-view.ts'
import type { Task } from '../domain/task.ts'
import type { TaskStatus } from '../domain/task-machine.ts'
import { parseContract } from '../domain/verify-contract.ts'
import type { TaskFilter } from '../ports/store.ts'
import type { CreatedJson, CreateTaskJson, KilledJson, ResultJson, ScreenJson } from '../protocol/api.ts'
import { createTask } from '../supervisor/create-task.ts'
import { findTask } from '../supervisor/find-task.ts'
import { killTask } from '../supervisor/kill-task.ts'
import { checkDepth, taskOfRun } from '../supervisor/parent-task.ts'
import { type AllowedDir, allowedDir } from '../supervisor/workspaces.ts'
import { archiveRoutes } from './archive-routes.ts'
import { actorOf, personOnly, runOf } from './caller.ts'
import type { ServerContext } from './context.ts'
import { conversationRoutes } from './conversation-routes.ts'
import { auditingRefusals } from './refusals.ts'
import { body, createTaskSchema, killSchema } from './schemas.ts'
import { oneTask, statsJson, taskDetail, taskList, taskRows } from './task-views.ts'

const ACTIVE: TaskStatus[] = ['pending', 'running', 'waiting_input']

export function taskRoutes(context: ServerContext): Hono {
  const { core } = context.supervisor
  const { store } = core
  const routes = new Hono()

  routes.post('/', async (c) => {
    const created = await auditingRefusals(c, core, () => create(c, context))
    return c.json(created, 201)
  })

  routes.get('/', async (c) => c.json(taskList(await store.tasks(filterOf(c)), core)))
  routes.get('/rows', async (c) => c.json(taskRows(await store.rows(filterOf(c)), core)))
  routes.get('/active', async (c) => c.json(taskList(await store.tasks({ statuses: ACTIVE }), core)))
  routes.get('/stats', async (c) => c.json(statsJson(await store.counts())))
  routes.get('/:id', async (c) => c.json(await taskDetail(await findTask(store, c.req.param('id')), core)))

  routes.post('/:id/kill', async (c) => {
    const { reason } = await body(c, killSchema)
    const task = await findTask(store, c.req.param('id'))
    if (runOf(c) !== undefined && runOf(c) !== task.runId) personOnly(c, 'end other tasks')
    const acted = await killTask(task.id, { by: actorOf(c), reason: reason ?? 'Killed' }, core)
    const killed: KilledJson = { already_ended: !acted, task: oneTask((await store.task(task.id))!, core) }
    return c.json(killed)
  })

  routes.route('/', conversationRoutes(context))
  routes.route('/', archiveRoutes(context))

  routes.get('/:id/screen', async (c) => {
    const task = await findTask(store, c.req.param('id'))
    const live =
      task.runId === null ? undefined : await core.terminal.readScreen(tmuxSessionName(task.id), task.runId)
    const screen = live ?? (await core.handoff.screen(task))
    if (screen === undefined)
      throw new HoldfastError('TASK_NOT_ACTIVE', `Session ${task.id} has no screen yet.`)
    const shown: ScreenJson = { session_id: task.id, screen, live: live !== undefined }
    return c.json(shown)
  })

  routes.get('/:id/result', async (c) => {
    const task = await findTask(store, c.req.param('id'))
    const text = await core.handoff.result(task)
    const result: ResultJson = { session_id: task.id, result: text === undefined ? null : JSON.parse(text) }
    return c.json(result)
  })

  return routes
}

async function create(c: Context, context: ServerContext): Promise<CreatedJson> {
  const { core } = context.supervisor
  const asked = await body(c, createTaskSchema)
  const by = actorOf(c)
  const parent = await parentOf(c, context)
  const place = await allowedDir(asked.dir, asked.allow_dir && parent === null ? { by } : null, core)
  const loaded = await context.loadConfig(place.project)
  if (parent !== null) await checkDepth(parent, loaded.config['recursion.depth'], core)
  const extraDirs = await Promise.all((asked.extra_dirs ?? []).map((dir) => core.places.realDirectory(dir)))
  const request = { ...defaults(asked), waitingAgents: waitingAgents(loaded), place, extraDirs, by }
  const origin = { parentId: parent?.id ?? null, under: parent?.snapshot.permission ?? null }
  const task = await createTask({ ...request, ...origin }, loaded.config, core)
  return { task: await taskDetail(task, core), notices: notices(place, context) }
}

/** The task whose run asks, if it may start tasks by the settings of its own project; null for a person. */
async function parentOf(
  c: Context,
  { supervisor: { core }, loadConfig }: ServerContext,
): Promise<Task | null> {
  const run = runOf(c)
  if (run === undefined) return null
  const parent = await taskOfRun(run, core)
  const { config } = await loadConfig(parent.project)
  await checkDepth(parent, config['recursion.depth'], core)
  return parent
}

function filterOf(c: Context): TaskFilter {
  const { status, tag, project, archived } = c.req.query()
  return { statuses: status?.split(',').flatMap(statusesFor), tag, project, archived: archived === '1' }
}

function defaults(asked: CreateTaskJson) {
  const seconds = asked.max_duration_seconds
  return {
    prompt: asked.prompt,
    agent: asked.agent,
    role: asked.role,
    model: asked.model,
    name: asked.name,
    mode: asked.mode ?? 'headless',
    converse: asked.converse ?? false,
    permission: asked.permissions,
    priority: asked.priority ?? 'normal',
    tags: asked.tags ?? [],
    meta: asked.meta ?? {},
    callerEnv: asked.env ?? {},
    setEnv: asked.set_env ?? {},
    command: asked.command ?? 'run',
    maxDurationMs: typeof seconds === 'number' ? seconds * 1000 : seconds,
    verify: asked.verify && parseContract(asked.verify, '--verify'),
    noQueue: asked.no_queue ?? false,
  } as const
}

function notices(place: AllowedDir, { supervisor }: ServerContext): string[] {
  const health = supervisor.core.terminal.health()
  return [
    ...(place.added ? [`${place.project} is now an allowed workspace (${place.workspace.slug}).`] : []),
    ...(health === 'up' ? [] : [`tmux is ${health.replace('_', ' ')}: the task waits until it is back.`]),
  ]
}
