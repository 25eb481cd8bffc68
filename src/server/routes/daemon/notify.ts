// Owns the routes about channels: which there are, what was told by them, and a test.
import { Hono } from 'hono'
import { HoldfastError } from '../../../domain/errors.ts'
import { iso } from '../../../domain/task/session-record.ts'
import type { NoticeSeen } from '../../../notify/notify.ts'
import type {
  ChannelJson,
  NoticeJson,
  NoticeLogJson,
  NotifyTestedJson,
} from '../../../protocol/json/notify-json.ts'
import type { ServerContext } from '../../context.ts'
import { wholeNumber } from '../../requests/query.ts'
import { body, channelSchema } from '../../requests/schemas.ts'

const DEFAULT_LIMIT = 50
const MOST = 500

export function notifyRoutes({ notify }: Pick<ServerContext, 'notify'>): Hono {
  const routes = new Hono()
  const channelsJson = async () => ({ channels: (await notify.channels()).map(channelJson) })

  routes.get('/channels', async (c) => c.json(await channelsJson()))

  routes.get('/log', async (c) => {
    const { channel, limit, after } = c.req.query()
    const most = limit === undefined ? DEFAULT_LIMIT : wholeNumber('limit', limit, { least: 1, most: MOST })
    const rows = await notify.log({
      most,
      ...(channel === undefined ? {} : { channel }),
      ...(after === undefined ? {} : { before: placeOf(after) }),
    })
    const last = rows.length < most ? undefined : rows.at(-1)
    const page: NoticeLogJson = {
      notices: rows.map(noticeJson),
      next: last === undefined ? null : `${last.at}.${last.id}`,
    }
    return c.json(page)
  })

  routes.post('/test', async (c) => {
    const { channel } = await body(c, channelSchema)
    const tested: NotifyTestedJson = { channel, ...(await notify.test(channel)) }
    return c.json(tested)
  })

  routes.post('/retry', async (c) => {
    const { channel } = await body(c, channelSchema)
    await notify.retry(channel)
    return c.json(await channelsJson())
  })
  return routes
}

const channelJson = ({
  name,
  type,
  canAnswer,
  problem,
  waiting,
  setAside,
  lastSentAt,
  lastError,
}: Awaited<ReturnType<ServerContext['notify']['channels']>>[number]): ChannelJson => ({
  name,
  type,
  can_answer: canAnswer,
  problem,
  waiting,
  set_aside: setAside,
  last_sent_at: lastSentAt === null ? null : iso(lastSentAt),
  last_error: lastError,
})

function noticeJson({ delivery, dropped, why, ...notice }: NoticeSeen): NoticeJson {
  const { id, channel, kind, taskId, question, title, at } = notice
  return {
    id,
    channel,
    kind,
    session_id: taskId,
    question,
    title,
    at: iso(at),
    state: dropped !== null ? 'dropped' : (delivery?.state ?? 'held'),
    delivery_id: delivery?.id ?? null,
    tries: delivery?.tries ?? 0,
    next_at: delivery?.state === 'waiting' ? iso(delivery.nextAt) : null,
    sent_at: delivery?.state === 'sent' && delivery.settledAt !== null ? iso(delivery.settledAt) : null,
    why,
  }
}

/** `<time>.<id>`, as `next` gives it. */
function placeOf(text: string): { at: number; id: string } {
  const [, at, id] = /^(\d{1,15})\.(\w{1,40})$/.exec(text) ?? []
  if (at === undefined || id === undefined)
    throw new HoldfastError('INVALID_REQUEST', "'after' must be the `next` of the page before.")
  return { at: Number(at), id }
}
