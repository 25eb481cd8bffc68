import type { ToolWorld } from '../../../mcp/tool.ts'
import { systemIds } from '../../../system/ids.ts'
import type { Context } from '../../context.ts'
import { isPerson } from '../../wire/caller.ts'
import { givenEnv } from '../../wire/given-env.ts'

/** The tools as a client of the daemon. Each call reads the token file anew, because the daemon renews it. */
export const toolWorld = (context: Context): ToolWorld => ({
  call: (route, ...needs) => context.daemon().call(route, ...needs),
  dir: isPerson(context.env) ? context.path() : undefined,
  // An agent may give its tools only a part of its environment; the daemon knows all of it.
  env: isPerson(context.env) ? givenEnv(context.env) : undefined,
  newName: systemIds.random,
  monotonic: () => performance.now(),
})
