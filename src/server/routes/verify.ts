import { Hono } from 'hono'
import { allowedEnv } from '../../domain/run/caller-environment.ts'
import type { StepVerifiedJson, VerifiedJson } from '../../protocol/api.ts'
import { allowedDir } from '../../supervisor/starting/workspaces.ts'
import { findTask } from '../../supervisor/task/find-task.ts'
import { verifyDirectory, verifyNow } from '../../supervisor/verifying/verify-now.ts'
import { callerOf } from '../caller.ts'
import type { ServerContext } from '../context.ts'
import { body, verifySchema, verifyStepSchema } from '../requests/schemas.ts'

/** Verification on request. A run may ask too: what is run for it, a person wrote or approved. */
export function verifyRoutes(context: ServerContext): Hono {
  const { core } = context.supervisor
  const routes = new Hono()

  routes.post('/tasks/:id/verify', async (c) => {
    const { env } = await body(c, verifySchema)
    const task = await findTask(core.store, c.req.param('id'))
    const { verified, checks } = await verifyNow(task, allowedEnv(env ?? {}), core, c.req.raw.signal)
    const answer: VerifiedJson = { session_id: task.id, verified, checks: [...checks] }
    return c.json(answer)
  })

  routes.post('/verify-step', async (c) => {
    const { step, story, dir, state_file: stateFile, env, allow_dir } = await body(c, verifyStepSchema)
    const allow =
      allow_dir && callerOf(c).kind === 'person'
        ? { by: callerOf(c).name, home: env?.HOME, isWideMeant: false }
        : null
    const place = await allowedDir(dir, allow, core)
    const { contract, source } = await context.stepContract({
      step,
      story,
      project: place.project,
      stateFile,
    })
    const commandEnv = allowedEnv(env ?? {})
    const { verified, checks } = await verifyDirectory(
      contract,
      place.dir,
      commandEnv,
      core,
      c.req.raw.signal,
    )
    const answer: StepVerifiedJson = { step, story, source, verified, checks: [...checks] }
    return c.json(answer)
  })

  return routes
}
