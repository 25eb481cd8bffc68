import { type Context, Hono } from 'hono'
import { HoldfastError } from '../../../domain/errors.ts'
import { printable } from '../../../domain/names/names.ts'
import { RUNTIME_STATUSES } from '../../../domain/runtime/machine.ts'
import { waitingAgents } from '../../../domain/settings/merge-config.ts'
import type {
  RuntimeDetailJson,
  RuntimeJson,
  RuntimeRemovedJson,
  RuntimeStartedJson,
  RuntimeStoppedJson,
} from '../../../protocol/json/runtime-json.ts'
import { callerOf } from '../../caller.ts'
import type { Uses } from '../../context.ts'
import { envGiven } from '../../env-given.ts'
import { requestKeyOf } from '../../request-key.ts'
import { body, nothingSchema, startRuntimeSchema } from '../../requests/schemas.ts'
import { notices } from '../../views/notices.ts'
import { runtimeJson, runtimeTransitionJson } from '../../views/runtime.ts'

type RuntimeContext = Uses<'runtimes' | 'places' | 'daemon', 'loadConfig' | 'ownEnv'>

/** Standing agents: the registry, and what starts and ends them. */
export function runtimeRoutes(context: RuntimeContext): Hono {
  const { desk } = context
  const routes = new Hono()
  const named = (c: Context) => desk.runtimes.find(c.req.param('id') ?? '')

  routes.get('/', async (c) => {
    const { workspace, role, status } = c.req.query()
    if (status !== undefined && !RUNTIME_STATUSES.some((known) => known === status))
      throw new HoldfastError(
        'INVALID_REQUEST',
        `'status' must be one of ${RUNTIME_STATUSES.join(', ')}, not '${printable(status, 60)}'.`,
      )
    const fits = (given: string | undefined, value: string) => given === undefined || given === value
    const all = (await desk.runtimes.list()).map(runtimeJson)
    // Of one whose daemon is silent, the state is not known.
    const isKnown = ({ elsewhere }: RuntimeJson) => (elsewhere?.silent_since ?? null) === null
    const runtimes = all.filter(
      (one) =>
        fits(workspace, one.workspace_id) &&
        fits(role, one.role) &&
        fits(status, one.status) &&
        (status === undefined || isKnown(one)),
    )
    return c.json({ runtimes })
  })
  routes.post('/', async (c) => c.json(await start(c, context), 201))

  routes.get('/:id', async (c) => {
    const { id } = await named(c)
    const story = await desk.runtimes.story(id)
    const detail: RuntimeDetailJson = {
      ...runtimeJson(await desk.runtimes.see(id)),
      transitions: story.map(runtimeTransitionJson),
    }
    return c.json(detail)
  })

  routes.post('/:id/stop', async (c) => {
    await body(c, nothingSchema)
    const runtime = await named(c)
    const acted = await desk.runtimes.stop(runtime, callerOf(c).name)
    const stopped: RuntimeStoppedJson = {
      already_stopped: !acted,
      runtime: runtimeJson(await desk.runtimes.see(runtime.id)),
    }
    return c.json(stopped)
  })

  routes.post('/:id/restart', async (c) => {
    await body(c, nothingSchema)
    const runtime = await named(c)
    await desk.runtimes.restart(runtime, callerOf(c).name)
    await desk.runtimes.whenReady(runtime)
    return c.json({ runtime: runtimeJson(await desk.runtimes.see(runtime.id)) })
  })

  routes.delete('/:id', async (c) => {
    const runtime = await named(c)
    const removed = runtimeJson(await desk.runtimes.see(runtime.id))
    const waited = await desk.runtimes.remove(runtime, callerOf(c).name)
    const answer: RuntimeRemovedJson = {
      removed,
      given_up: waited.map(({ triggerId, by, text }) => ({ trigger_id: triggerId, by, text })),
    }
    return c.json(answer)
  })

  return routes
}

/** Answered when it is ready. */
async function start(c: Context, context: RuntimeContext): Promise<RuntimeStartedJson> {
  const { desk, loadConfig } = context
  const asked = await body(c, startRuntimeSchema)
  const key = requestKeyOf(c, 'POST /api/runtimes', asked)
  const by = callerOf(c).name
  const allow = asked.allow_dir ? { by, home: asked.env?.HOME, isWideMeant: false } : null
  const place = await desk.places.allowedToWorkIn(asked.dir, allow)
  const loaded = await loadConfig(place.project)
  const request = {
    role: asked.role,
    seed: asked.seed,
    agent: asked.agent,
    model: asked.model,
    permission: undefined,
    callerEnv: envGiven(c, asked.env, context),
    waitingAgents: waitingAgents(loaded),
    place,
    by,
    ...(key && { key }),
  }
  const { runtime, how } = await desk.runtimes.start(request, loaded.config)
  // A repeated request finds the runtime that the first one started; somebody may have stopped it since.
  if (runtime.wanted === 'up') await desk.runtimes.whenReady(runtime)
  return {
    runtime: runtimeJson(await desk.runtimes.see(runtime.id)),
    how,
    notices: notices(place, 'interactive', desk).notices,
  }
}
