// Owns who is asking, and what that caller may not do; found out once for each request. A token proves a run. The name
// of a run alone protects against accidents, not against malice: a run could leave out the header that names it.
import type { Context, MiddlewareHandler } from 'hono'
import { HoldfastError, isHoldfastError } from '../domain/errors.ts'
import { asRunId } from '../domain/names/ids.ts'
import { printable } from '../domain/names/names.ts'
import { type Caller, runNamed } from '../domain/task/caller.ts'
import type { Task } from '../domain/task/task.ts'
import { HEADER_ACTOR, HEADER_RUN, HEADER_VERSION } from '../protocol/headers.ts'
import type { Uses } from './context.ts'
import { permissionFor } from './run-permissions.ts'
import { checkToken } from './run-token.ts'
import { callerInside, isTcp } from './via.ts'
import { checkOwnPage } from './web/guard.ts'
import { cookiePass } from './web/login.ts'
import type { TcpLimits } from './web/tcp-limits.ts'

const CALLER = 'caller'
/** How a token for programs begins. */
const isForPrograms = (token: string) => token.startsWith('hft1.')
const BEARER = /^Bearer +(\S+) *$/i

type Proofs = Uses<'runs', 'clock' | 'tokens' | 'keys' | 'about'>
type CallerContext = Proofs & { readonly limits: TcpLimits }

/** Before any route: a caller that is not who it says, or may not ask this, is refused here. */
export const resolveCaller =
  (context: CallerContext): MiddlewareHandler =>
  async (c, next) => {
    const caller = callerInside(c) ?? (await (isTcp(c) ? tcpCaller(c, context) : readCaller(c, context)))
    c.set(CALLER, caller)
    const permission = caller.kind === 'run' ? permissionFor(c.req.method, c.req.path) : undefined
    if (typeof permission === 'object') throw notAllowed(permission.refused)
    await next()
  }

export const callerOf = (c: Context): Caller => c.get(CALLER)

/** For a connection that stays open: whether its cookie or token still lets it in. */
export async function mayStillAsk(c: Context, context: Proofs): Promise<boolean> {
  try {
    const isPage = isTcp(c) && c.req.header('authorization') === undefined
    return isPage ? cookiePass(c, context) !== undefined : Boolean(await readCaller(c, context))
  } catch (error) {
    // A store that cannot be asked just now takes nothing away.
    return !isHoldfastError(error, 'LOGIN_REQUIRED', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'TOKEN_VOID')
  }
}

async function readCaller(c: Context, context: Proofs): Promise<Caller> {
  const named = c.req.header(HEADER_RUN) || undefined
  const given = c.req.header('authorization')
  if (given !== undefined) return proved(BEARER.exec(given)?.[1], named, context)
  return named === undefined
    ? { kind: 'person', name: printable(c.req.header(HEADER_ACTOR) ?? 'unknown', 100) }
    : asRun(named)
}

/** A token for programs, or that of a run. A program that names a run counts as that run, and may do less. */
async function proved(
  token: string | undefined,
  named: string | undefined,
  context: Proofs,
): Promise<Caller> {
  if (token === undefined || !isForPrograms(token)) return asRun((await checkToken(token, named, context)).id)
  const pass = context.keys.passOf('token', token)
  if (pass === undefined) throw new HoldfastError('LOGIN_REQUIRED', 'The token is wrong, expired or revoked.')
  return named === undefined ? { kind: 'person', name: `token ${pass.name}` } : asRun(named)
}

/** Anybody on the machine reaches the port, and every page in a browser: a cookie or a token says who it is. */
async function tcpCaller(c: Context, context: CallerContext): Promise<Caller> {
  try {
    const caller = c.req.header('authorization') === undefined ? pageCaller(c, context) : undefined
    const found = caller ?? (await readCaller(c, context))
    context.limits.ofCaller(c, found.name)
    return found
  } catch (error) {
    if (!isHoldfastError(error, 'RATE_LIMITED', 'CROSS_SITE_REFUSED')) context.limits.ofFailed(c)
    throw error
  }
}

function pageCaller(c: Context, context: CallerContext): Caller {
  const pass = cookiePass(c, context)
  if (pass === undefined) throw new HoldfastError('LOGIN_REQUIRED', 'Nobody is logged in here.')
  checkOwnPage(c, HEADER_VERSION)
  const named = c.req.header(HEADER_RUN)
  return named ? asRun(named) : { kind: 'person', name: `${pass.name} (page)` }
}

const asRun = (run: string): Caller => ({
  kind: 'run',
  run: asRunId(run),
  name: runNamed(printable(run, 60)),
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

/** Keys in a terminal are a person's own. */
export function checkMayType(caller: Caller): void {
  if (caller.kind === 'run') throw notAllowed('type into terminals')
}

const notAllowed = (what: string) => new HoldfastError('NOT_ALLOWED_FOR_RUN', `A run may not ${what}.`)
