// Owns the shapes, for the API document, of channels and notices.
import * as z from 'zod/mini'
import { NOTICE_KINDS } from '../../../domain/notify/notice.ts'
import type { ChannelJson, NoticeLogJson, NotifyTestedJson } from '../../../protocol/json/notify-json.ts'
import { count, named, oneOf, orNull, time } from './named.ts'

const channel = named(
  'ChannelJson',
  z.object({
    name: z.string(),
    type: z.string(),
    can_answer: z.boolean(),
    problem: orNull(z.string()),
    waiting: count,
    set_aside: count,
    last_sent_at: orNull(time),
    last_error: orNull(z.string()),
  }),
) satisfies z.ZodMiniType<ChannelJson>
export const channels = z.object({ channels: z.array(channel) })

const notice = named(
  'NoticeJson',
  z.object({
    id: z.string(),
    channel: z.string(),
    kind: oneOf(NOTICE_KINDS),
    session_id: orNull(z.string()),
    question: orNull(count),
    title: z.string(),
    at: time,
    state: oneOf(['held', 'waiting', 'sent', 'set_aside', 'dropped']),
    delivery_id: orNull(z.string()),
    tries: count,
    next_at: orNull(time),
    sent_at: orNull(time),
    why: orNull(z.string()),
  }),
)
export const noticeLog = named(
  'NoticeLogJson',
  z.object({ notices: z.array(notice), next: orNull(z.string()) }),
) satisfies z.ZodMiniType<NoticeLogJson>

export const tested = named(
  'NotifyTestedJson',
  z.object({ channel: z.string(), id: z.string() }),
) satisfies z.ZodMiniType<NotifyTestedJson>
