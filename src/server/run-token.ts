// Owns whether a token proves a run: signed here, in time, of a run that has not ended, and of the run that is named.
import { HoldfastError } from '../domain/errors.ts'
import { isInTime, type TokenClaims } from '../domain/run/token-claims.ts'
import type { Run } from '../domain/task/run.ts'
import type { Uses } from './context.ts'

/** `named`: the run that the request names beside its token, if any. */
export async function checkToken(
  token: string | undefined,
  named: string | undefined,
  { desk, clock, tokens }: Uses<'runs', 'clock' | 'tokens'>,
): Promise<Run> {
  if (token === undefined)
    throw new HoldfastError('TOKEN_INVALID', "The token must come as 'Bearer <token>'.")
  const claims = tokens.read(token)
  if (named !== undefined && named !== claims.run)
    throw new HoldfastError('TOKEN_INVALID', 'The token is of another run than the one that asks.')
  const run = await desk.runs.open(claims.run)
  if (run === undefined || run.taskId !== claims.task) throw isVoid(claims)
  if (isInTime(claims, clock.now())) return run
  await desk.runs.renewToken(run.id)
  throw new HoldfastError('TOKEN_EXPIRED', `The token of run ${claims.run} is not valid at this time.`)
}

const isVoid = ({ run }: TokenClaims) =>
  new HoldfastError('TOKEN_VOID', `The token is void: run ${run} is over, or not known here.`)
