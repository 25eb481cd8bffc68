// Owns who is asking. A CLI inside a run acts as that run and may do less (accident, not malice, is guarded against here).
import type { Context } from 'hono'
import { HoldfastError } from '../domain/errors.ts'
import { printable } from '../domain/names.ts'
import { HEADER_ACTOR, HEADER_RUN } from '../protocol/api.ts'

export const runOf = (c: Context) => c.req.header(HEADER_RUN) || undefined

export function actorOf(c: Context): string {
  const run = runOf(c)
  return run === undefined
    ? printable(c.req.header(HEADER_ACTOR) ?? 'unknown', 100)
    : `run ${printable(run, 60)}`
}

/** For what only a person may do. */
export function personOnly(c: Context, what: string): void {
  if (runOf(c) !== undefined) throw new HoldfastError('NOT_ALLOWED_FOR_RUN', `A run may not ${what}.`)
}
