// Owns what a run asks in its own name.
import { type Context, Hono } from 'hono'
import { HoldfastError } from '../../../domain/errors.ts'
import type { SelfJson } from '../../../protocol/json/run-json.ts'
import { callerOf } from '../../caller.ts'
import type { Uses } from '../../context.ts'
import { body, nothingSchema } from '../../requests/schemas.ts'

export function selfRoutes({ desk }: Uses<'runs' | 'tasks'>): Hono {
  const routes = new Hono()

  const self = async (c: Context): Promise<SelfJson> => {
    const { id, dir, project } = await desk.tasks.ofRun(runOf(c))
    return { run_id: runOf(c), session_id: id, dir, project }
  }

  routes.get('/', async (c) => c.json(await self(c)))
  routes.post('/bridge', async (c) => {
    await body(c, nothingSchema)
    await desk.runs.bridgeUp(runOf(c))
    return c.json(await self(c))
  })

  return routes
}

function runOf(c: Context) {
  const caller = callerOf(c)
  if (caller.kind === 'run') return caller.run
  throw new HoldfastError('ONLY_FOR_RUNS', 'Only a run can ask this: it is about the session that asks.')
}
