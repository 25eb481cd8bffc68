// Owns the tools over HTTP. A tool's requests go to the same routes as everybody's, in the name of who called the tool.
import { Hono } from 'hono'
import { HoldfastError, isErrorCode } from '../../domain/errors.ts'
import type { McpOverHttp } from '../../mcp/http.ts'
import type { ToolWorld } from '../../mcp/tool.ts'
import { addressOf } from '../../protocol/address.ts'
import type { CallRoute } from '../../protocol/route-needs.ts'
import { callerOf } from '../caller.ts'
import type { ServerContext } from '../context.ts'
import { bodyOf } from '../requests/check.ts'
import { type RequestEnv, viaOf } from '../via.ts'

type Needs = Parameters<typeof addressOf>[1] & { readonly body?: unknown }
type Ask = (path: string, init: RequestInit, inside: RequestEnv) => Response | Promise<Response>

export function mcpRoutes(
  ask: Ask,
  { clock, log, newName }: Pick<ServerContext, 'clock' | 'log' | 'newName'>,
): Hono {
  const routes = new Hono()
  const onError = (error: Error) => log.warn('an MCP request failed', { error: error.message })
  let serving: Promise<McpOverHttp> | undefined
  /** Loaded with the first request: most daemons never get one. */
  const loaded = () => {
    serving ??= import('../../mcp/main.ts').then(({ mcpOverHttp }) => mcpOverHttp(onError))
    return serving
  }

  routes.all('/', async (c) => {
    const inside = { caller: callerOf(c), via: viaOf(c) }
    const call = async (route: string, needs: Needs = {}) =>
      answerOf(await ask(...requestFor(route, needs), inside))
    const world: ToolWorld = {
      call: call as CallRoute,
      dir: undefined,
      env: undefined,
      newName,
      monotonic: clock.monotonic,
    }
    const serve = await loaded()
    return await serve(c.req.raw, c.req.method === 'POST' ? bodyOf(c) : undefined, world)
  })

  return routes
}

function requestFor(route: string, needs: Needs): [string, RequestInit] {
  const { method, path } = addressOf(route, needs)
  if (needs.body === undefined) return [path, { method }]
  const headers = { 'content-type': 'application/json' }
  return [path, { method, headers, body: JSON.stringify(needs.body) }]
}

async function answerOf(response: Response): Promise<unknown> {
  const answer = (await response.json()) as { code?: unknown; message?: unknown }
  if (response.status < 400) return answer
  throw new HoldfastError(isErrorCode(answer.code) ? answer.code : 'INTERNAL', String(answer.message))
}
