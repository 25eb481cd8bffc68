import { Hono } from 'hono'
import { iso } from '../../../domain/task/session-record.ts'
import type { StatusCheckJson } from '../../../protocol/json/life-json.ts'
import type { HeartbeatJson } from '../../../protocol/json/run-json.ts'
import { callerOf } from '../../caller.ts'
import type { Uses } from '../../context.ts'
import { body, heartbeatSchema, nothingSchema } from '../../requests/schemas.ts'

/** Checks whether a session is alive, and hears its heartbeats. */
export function lifeRoutes({ desk }: Uses<'tasks' | 'life'>): Hono {
  const routes = new Hono()

  routes.post('/:id/status-check', async (c) => {
    await body(c, nothingSchema)
    const task = await desk.tasks.find(c.req.param('id'))
    const { state, other, previous, current, contextPercent, silentMs } = await desk.life.check(task)
    const checked: StatusCheckJson = {
      session_id: task.id,
      session_state: state,
      other_checks: other,
      phase: task.phase,
      previous_time: previous,
      current_time: current,
      context_percent: contextPercent,
      silent_seconds: silentMs === null ? null : Math.floor(silentMs / 1000),
    }
    return c.json(checked)
  })

  routes.post('/:id/heartbeat', async (c) => {
    const { status = 'active' } = await body(c, heartbeatSchema)
    const task = await desk.tasks.find(c.req.param('id'))
    const { at } = await desk.life.heartbeat(task, callerOf(c), status)
    const heard: HeartbeatJson = { session_id: task.id, status, at: iso(at) }
    return c.json(heard)
  })

  return routes
}
