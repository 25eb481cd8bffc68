import type { ChannelJson, NoticeJson } from '../../../protocol/json/notify-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { type Column, table } from '../../render/print/table.ts'
import { localMinute, localSecond } from '../../render/print/time.ts'

const ofChannels: readonly Column<ChannelJson>[] = [
  { title: 'CHANNEL', of: ({ name }) => name, least: 'whole', rank: 6 },
  { title: 'TYPE', of: ({ type }) => type, least: 4, rank: 5 },
  { title: 'ANSWERS', of: ({ can_answer }) => (can_answer ? 'yes' : '-'), least: 7, rank: 1 },
  { title: 'WAITING', of: ({ waiting }) => String(waiting), least: 7, rank: 3 },
  { title: 'SET ASIDE', of: ({ set_aside }) => String(set_aside), least: 9, rank: 4 },
  {
    title: 'LAST SENT',
    of: ({ last_sent_at }) => (last_sent_at === null ? '-' : localMinute(last_sent_at)),
    least: 16,
    rank: 0,
  },
  { title: 'PROBLEM', of: ({ problem, last_error }) => problem ?? last_error ?? '-', least: 10, rank: 2 },
]

export async function listChannels(_input: InputOf<'notify channels'>, context: Context): Promise<number> {
  const answer = await context.daemon().call('GET /api/notify/channels')
  showChannels(answer, context)
  return 0
}

export async function testChannel({ args }: InputOf<'notify test'>, context: Context): Promise<number> {
  const answer = await context.daemon().call('POST /api/notify/test', { body: { channel: args.channel } })
  context.show(answer, () => [`${answer.channel} took the test message (${answer.id}).`])
  return 0
}

export async function retryChannel({ args }: InputOf<'notify retry'>, context: Context): Promise<number> {
  const answer = await context.daemon().call('POST /api/notify/retry', { body: { channel: args.channel } })
  showChannels(answer, context)
  return 0
}

const showChannels = (answer: { readonly channels: readonly ChannelJson[] }, context: Context) =>
  context.show(answer, () =>
    answer.channels.length === 0 ? NO_CHANNELS : table(ofChannels, answer.channels, context.width()),
  )

const NO_CHANNELS = [
  'No channels are set up, so nobody is told anything: docs/notifications.md shows how.',
  'One that you have just set up counts after `holdfast down && holdfast up`.',
]

const ofNotices: readonly Column<NoticeJson>[] = [
  { title: 'TIME', of: ({ at }) => localSecond(at), least: 19, rank: 3 },
  { title: 'CHANNEL', of: ({ channel }) => channel, least: 6, rank: 4 },
  { title: 'STATE', of: ({ state }) => state, least: 'whole', rank: 5 },
  { title: 'TRIES', of: ({ tries }) => String(tries), least: 5, rank: 0 },
  { title: 'NOTICE', of: ({ title }) => title, least: 10, rank: 2 },
  { title: 'WHY', of: ({ why }) => why ?? '-', least: 8, rank: 1 },
]

export async function noticeLog({ options }: InputOf<'notify log'>, context: Context): Promise<number> {
  const { channel, limit } = options
  const answer = await context.daemon().call('GET /api/notify/log', { query: { channel, limit } })
  const { length } = answer.notices
  // With nobody to tell, that nothing was told is no news.
  const channels =
    length > 0 || context.json ? [] : (await context.daemon().call('GET /api/notify/channels')).channels
  context.show(answer, () => {
    if (length > 0) return table(ofNotices, answer.notices, context.width())
    return channels.length === 0 ? NO_CHANNELS : ['Nothing was told yet.']
  })
  return 0
}
