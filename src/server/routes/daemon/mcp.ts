// Owns the tools over HTTP. A tool's requests go to the same routes as everybody's, in the name of who called the tool.
import { type Context, Hono } from 'hono'
import { isErrorCode } from '../../../domain/errors/catalogue.ts'
import { HoldfastError } from '../../../domain/errors.ts'
import type { McpOverHttp } from '../../../mcp/http.ts'
import type { ToolWorld } from '../../../mcp/tool.ts'
import { addressOf } from '../../../protocol/address.ts'
import { HEADER_ACTOR, HEADER_RUN } from '../../../protocol/headers.ts'
import type { CallRoute } from '../../../protocol/route-needs.ts'
import type { ServerContext } from '../../context.ts'
import { bodyOf } from '../../requests/check.ts'

const WHO = [HEADER_ACTOR, HEADER_RUN, 'authorization']

/** By these a request says who asks. */
const headersOf = (c: Context): Record<string, string> =>
  Object.fromEntries(
    WHO.flatMap((name) => {
      const value = c.req.header(name)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )

type Needs = Parameters<typeof addressOf>[1] & { readonly body?: unknown }
type Ask = (path: string, init: RequestInit) => Response | Promise<Response>

export function mcpRoutes(
  ask: Ask,
  { clock, log, newName }: Pick<ServerContext, 'clock' | 'log' | 'newName'>,
): Hono {
  const routes = new Hono()
  const onError = (error: Error) => log.warn('an MCP request failed', { error: error.message })
  let serving: Promise<McpOverHttp> | undefined
  /** Loaded with the first request: most daemons never get one. */
  const loaded = () => {
    serving ??= import('../../../mcp/main.ts').then(({ mcpOverHttp }) => mcpOverHttp(onError))
    return serving
  }

  routes.all('/', async (c) => {
    const who = headersOf(c)
    const call = async (route: string, needs: Needs = {}) =>
      answerOf(await ask(...requestFor(route, needs, who)))
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

function requestFor(
  route: string,
  needs: Needs,
  who: Readonly<Record<string, string>>,
): [string, RequestInit] {
  const { method, path } = addressOf(route, needs)
  if (needs.body === undefined) return [path, { method, headers: who }]
  const headers = { ...who, 'content-type': 'application/json' }
  return [path, { method, headers, body: JSON.stringify(needs.body) }]
}

async function answerOf(response: Response): Promise<unknown> {
  const answer = (await response.json()) as { code?: unknown; message?: unknown }
  if (response.status < 400) return answer
  throw new HoldfastError(isErrorCode(answer.code) ? answer.code : 'INTERNAL', String(answer.message))
}
