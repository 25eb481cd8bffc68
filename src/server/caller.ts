// Owns who is asking, and what that caller may not do; found out once for each request. A token proves a run. The name
// of a run alone protects against accidents, not against malice: a run could leave out the header that names it.
import type { Context, MiddlewareHandler } from 'hono'
import { HoldfastError } from '../domain/errors.ts'
import { asRunId } from '../domain/names/ids.ts'
import { printable } from '../domain/names/names.ts'
import type { Caller } from '../domain/task/caller.ts'
import type { Task } from '../domain/task/task.ts'
import { HEADER_ACTOR, HEADER_RUN } from '../protocol/headers.ts'
import type { Uses } from './context.ts'
import { permissionFor } from './run-permissions.ts'
import { checkToken } from './run-token.ts'

const CALLER = 'caller'
const BEARER = /^Bearer +(\S+) *$/i

/** Before any route: a caller that is not who it says, or may not ask this, is refused here. */
export const resolveCaller =
  (context: Uses<'runs', 'clock' | 'tokens'>): MiddlewareHandler =>
  async (c, next) => {
    const caller = await readCaller(c, context)
    c.set(CALLER, caller)
    const permission = caller.kind === 'run' ? permissionFor(c.req.method, c.req.path) : undefined
    if (typeof permission === 'object') throw notAllowed(permission.refused)
    await next()
  }

export const callerOf = (c: Context): Caller => c.get(CALLER)

async function readCaller(c: Context, context: Uses<'runs', 'clock' | 'tokens'>): Promise<Caller> {
  const named = c.req.header(HEADER_RUN) || undefined
  const given = c.req.header('authorization')
  if (given !== undefined) return asRun((await checkToken(BEARER.exec(given)?.[1], named, context)).id)
  return named === undefined
    ? { kind: 'person', name: printable(c.req.header(HEADER_ACTOR) ?? 'unknown', 100) }
    : asRun(named)
}

const asRun = (run: string): Caller => ({
  kind: 'run',
  run: asRunId(run),
  name: `run ${printable(run, 60)}`,
})

/** A run may hand in the result of its own task, and of no other. */
export function checkOwnTask(
  caller: Caller,
  { id, runId }: Pick<Task, 'id' | 'runId'>,
  what: 'hand in the result of',
): void {
  if (caller.kind === 'run' && caller.run !== runId)
    throw new HoldfastError(
      'NOT_ALLOWED_FOR_RUN',
      `A run may ${what} only its own session, and ${id} is another one.`,
    )
}

/** For a request that kills the sessions of a whole project, or all. */
export function checkMayKillAll(caller: Caller): void {
  if (caller.kind === 'run')
    throw notAllowed('kill all sessions: it may kill only its own and those that it started')
}

/** A prompt over a person's keys needs a person. */
export function checkMayForce(caller: Caller): void {
  if (caller.kind === 'run') throw notAllowed('force prompts')
}

const notAllowed = (what: string) => new HoldfastError('NOT_ALLOWED_FOR_RUN', `A run may not ${what}.`)
