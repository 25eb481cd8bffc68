// Owns threads over HTTP. Who asks is known from the connection; a request cannot name somebody else.
import { Hono } from 'hono'
import { HoldfastError } from '../../../domain/errors.ts'
import { printable } from '../../../domain/names/names.ts'
import type { ContinuedJson, MessageListJson, ThreadListJson } from '../../../protocol/json/thread-json.ts'
import { callerOf } from '../../caller.ts'
import type { ServerContext } from '../../context.ts'
import { keyOf } from '../../request-key.ts'
import { wholeNumber } from '../../requests/query.ts'
import {
  body,
  continueThreadSchema,
  createThreadSchema,
  postMessageSchema,
  readThreadSchema,
} from '../../requests/schemas.ts'
import { messageJson, postedJson, threadDetailJson, threadJson, unreadJson } from '../../views/thread.ts'

const PER_PAGE = 50
const MOST_PER_PAGE = 200

export function threadRoutes({ bridge }: Pick<ServerContext, 'bridge'>): Hono {
  const routes = new Hono()

  routes.post('/', async (c) => {
    const { title, workspace, members = [], key = keyOf(c) } = await body(c, createThreadSchema)
    const thread = await bridge.createThread(callerOf(c), { title, workspace, members, key })
    return c.json(threadJson(thread), 201)
  })

  routes.get('/', async (c) => {
    const { state, mine, unread, after, limit } = c.req.query()
    const { threads, next } = await bridge.listThreads(callerOf(c), {
      blocked: state === undefined ? undefined : isBlocked(state),
      mine: mine === '1',
      unread: unread === '1',
      after: after ?? null,
      most: pageSize(limit),
    })
    const page: ThreadListJson = { threads: threads.map(threadJson), next }
    return c.json(page)
  })

  routes.get('/:id', async (c) =>
    c.json(threadDetailJson(await bridge.showThread(callerOf(c), c.req.param('id')))),
  )

  routes.get('/:id/messages', async (c) => {
    const { after, limit } = c.req.query()
    const most = pageSize(limit)
    const messages = await bridge.listMessages({
      thread: c.req.param('id'),
      after: after === undefined ? 0 : wholeNumber('after', after),
      most,
    })
    const next = messages.length < most ? null : (messages.at(-1)?.number ?? null)
    const page: MessageListJson = { messages: messages.map(messageJson), next }
    return c.json(page)
  })

  routes.post('/:id/messages', async (c) => {
    const { text, kind = 'message', refs = [], key = keyOf(c) } = await body(c, postMessageSchema)
    const thread = c.req.param('id')
    return c.json(postedJson(await bridge.postMessage(callerOf(c), { thread, text, kind, refs, key })))
  })

  routes.post('/:id/read', async (c) => {
    const { up_to: upTo, wait_seconds = 0, limit: most = PER_PAGE } = await body(c, readThreadSchema)
    const thread = c.req.param('id')
    const waitMs = wait_seconds * 1000
    return c.json(unreadJson(await bridge.readMessages(callerOf(c), { thread, upTo, waitMs, most })))
  })

  routes.post('/:id/continue', async (c) => {
    const { why = null } = await body(c, continueThreadSchema)
    const { continued, detail } = await bridge.continueThread(callerOf(c), { id: c.req.param('id'), why })
    const answer: ContinuedJson = { continued, thread: threadDetailJson(detail) }
    return c.json(answer)
  })

  return routes
}

const pageSize = (limit: string | undefined) =>
  limit === undefined ? PER_PAGE : wholeNumber('limit', limit, { least: 1, most: MOST_PER_PAGE })

function isBlocked(state: string): boolean {
  if (state === 'open' || state === 'blocked') return state === 'blocked'
  throw new HoldfastError('INVALID_REQUEST', `'state' must be open or blocked, not '${printable(state)}'.`)
}
