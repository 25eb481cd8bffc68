// Owns triggers over HTTP: how one stands, lists of them, and the agent's word that it has one.
import { Hono } from 'hono'
import { HoldfastError } from '../../../domain/errors.ts'
import { printable } from '../../../domain/names/names.ts'
import { iso } from '../../../domain/task/session-record.ts'
import { TRIGGER_AIMS, type TriggerAim } from '../../../domain/trigger/aims.ts'
import { isTriggerState, TRIGGER_STATES } from '../../../domain/trigger/machine.ts'
import { checkTriggerId } from '../../../domain/trigger/trigger-id.ts'
import type { TriggerPlace } from '../../../ports/store/triggers.ts'
import type { TriggerDetailJson, TriggerListJson } from '../../../protocol/json/trigger-json.ts'
import { callerOf } from '../../caller.ts'
import type { Uses } from '../../context.ts'
import { wholeNumber } from '../../requests/query.ts'
import { body, forceSchema, nothingSchema } from '../../requests/schemas.ts'
import { taskDetail } from '../../views/task.ts'
import { stepJson, triggerJson } from '../../views/trigger.ts'

const DEFAULT_LIMIT = 100
const MOST = 10_000
/** Clients ask again. */
const LONGEST_WAIT_SECONDS = 45

export function triggerRoutes({ desk }: Uses<'triggers' | 'tasks' | 'look'>): Hono {
  const routes = new Hono()

  routes.get('/', async (c) => {
    const { thread, to, state, limit, after } = c.req.query()
    if (state !== undefined && !isTriggerState(state))
      throw bad(`'state' must be one of ${TRIGGER_STATES.join(', ')}, not '${printable(state)}'.`)
    const filter = {
      ...(thread === undefined ? {} : { thread }),
      ...(to === undefined ? {} : { taskId: (await desk.tasks.find(to)).id }),
      ...(state === undefined ? {} : { state }),
      ...(after === undefined ? {} : { after: placeOf(after) }),
    }
    const most = limit === undefined ? DEFAULT_LIMIT : wholeNumber('limit', limit, { least: 1, most: MOST })
    const found = await desk.triggers.list({ ...filter, limit: most })
    const last = found.length < most ? undefined : found.at(-1)
    const list: TriggerListJson = {
      triggers: found.map(triggerJson),
      next: last === undefined ? null : `${last.at}.${last.triggerId}`,
    }
    return c.json(list)
  })

  routes.get('/:id', async (c) => {
    const id = checkTriggerId(c.req.param('id'))
    const { until, wait_seconds = '0' } = c.req.query()
    const seconds = wholeNumber('wait_seconds', wait_seconds, { most: LONGEST_WAIT_SECONDS })
    if (until !== undefined) await desk.triggers.whenReached(id, aimOf(until), seconds * 1000)
    return c.json(await tracked(id))
  })

  routes.post('/:id/force', async (c) => {
    const force = await body(c, forceSchema)
    const id = checkTriggerId(c.req.param('id'))
    await desk.triggers.force(id, force)
    return c.json(await tracked(id))
  })

  routes.post('/:id/ack', async (c) => {
    await body(c, nothingSchema)
    const id = checkTriggerId(c.req.param('id'))
    await desk.triggers.acknowledge(id, callerOf(c))
    return c.json(await tracked(id))
  })

  async function tracked(id: ReturnType<typeof checkTriggerId>): Promise<TriggerDetailJson> {
    const { trigger, steps, until } = await desk.triggers.track(id)
    const { phase, mode, next, kept_back } = taskDetail(
      await desk.look.closely(await desk.tasks.get(trigger.taskId)),
    )
    return {
      ...triggerJson(trigger),
      text: trigger.text,
      steps: steps.map(stepJson),
      waits_until: until === null ? null : iso(until),
      phase,
      mode,
      next,
      kept_back,
    }
  }

  return routes
}

function aimOf(text: string): TriggerAim {
  const aim = TRIGGER_AIMS.find((one) => one === text)
  if (aim === undefined) throw bad(`'until' must be ${TRIGGER_AIMS.join(' or ')}, not '${printable(text)}'.`)
  return aim
}

function placeOf(after: string): TriggerPlace {
  const [, at, id] = /^(\d{1,15})\.(trg_\w+)$/.exec(after) ?? []
  if (id === undefined)
    throw bad(`'after' must be the 'next' of an earlier page, not '${printable(after, 60)}'.`)
  return { at: Number(at), id: checkTriggerId(id) }
}

const bad = (message: string) => new HoldfastError('INVALID_REQUEST', message)
