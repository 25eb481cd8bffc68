import { Hono } from 'hono'
import { allowedEnv } from '../../domain/run/caller-environment.ts'
import type { StepVerifiedJson, VerifiedJson } from '../../protocol/api.ts'
import { callerOf } from '../caller.ts'
import type { Uses } from '../context.ts'
import { envGiven } from '../env-given.ts'
import { body, verifySchema, verifyStepSchema } from '../requests/schemas.ts'

/** Verification on request. A run may ask for it, too: a person wrote or approved the commands that are run. */
export function verifyRoutes(context: Uses<'tasks' | 'places' | 'verify', 'stepContract' | 'ownEnv'>): Hono {
  const { desk, stepContract } = context
  const routes = new Hono()

  routes.post('/tasks/:id/verify', async (c) => {
    const { env } = await body(c, verifySchema)
    const task = await desk.tasks.find(c.req.param('id'))
    const { verified, checks } = await desk.verify.task(
      task,
      allowedEnv(envGiven(c, env, context)),
      c.req.raw.signal,
    )
    const answer: VerifiedJson = { session_id: task.id, verified, checks: [...checks] }
    return c.json(answer)
  })

  routes.post('/verify-step', async (c) => {
    const { step, story, dir, state_file: stateFile, env, allow_dir } = await body(c, verifyStepSchema)
    const allow =
      allow_dir && callerOf(c).kind === 'person'
        ? { by: callerOf(c).name, home: env?.HOME, isWideMeant: false }
        : null
    const place = await desk.places.allowed(dir, allow)
    const { contract, source } = await stepContract({
      step,
      story,
      project: place.project,
      stateFile,
    })
    const commandEnv = allowedEnv(envGiven(c, env, context))
    const { verified, checks } = await desk.verify.directory(
      contract,
      place.dir,
      commandEnv,
      c.req.raw.signal,
    )
    const answer: StepVerifiedJson = { step, story, source, verified, checks: [...checks] }
    return c.json(answer)
  })

  return routes
}
