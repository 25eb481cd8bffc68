import type { Context } from 'hono'
import type { ServerContext } from './context.ts'
import { isTcp } from './via.ts'

type Env = Readonly<Record<string, string>>

/** A command sends the environment of its shell. A page has none: its agents get that of the daemon. */
export const envGiven = (
  c: Context,
  given: Env | undefined,
  { ownEnv }: Pick<ServerContext, 'ownEnv'>,
): Env => given ?? (isTcp(c) ? ownEnv : {})
