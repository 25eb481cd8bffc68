import { Hono } from 'hono'
import type { HeartbeatJson, StatusCheckJson } from '../protocol/api.ts'
import { findTask } from '../supervisor/find-task.ts'
import { heartbeat } from '../supervisor/heartbeat.ts'
import { checkStatus } from '../supervisor/status-check.ts'
import { runOf } from './caller.ts'
import type { ServerContext } from './context.ts'

/** Whether sessions are alive. */
export function lifeRoutes({ supervisor }: ServerContext): Hono {
  const { core } = supervisor
  const routes = new Hono()

  routes.post('/:id/status-check', async (c) => {
    const task = await findTask(core.store, c.req.param('id'))
    const { state, other, previous, current, contextPercent, silentMs } = await checkStatus(task, core)
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
    const task = await findTask(core.store, c.req.param('id'))
    heartbeat(task, runOf(c), core)
    const heard: HeartbeatJson = { session_id: task.id }
    return c.json(heard)
  })

  return routes
}
