import type { ChannelJson } from '../../../protocol/json/notify-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { channelLines, NO_CHANNELS, noticeLogLines } from '../../render/text/notify-text.ts'

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
  context.show(answer, () => channelLines(answer.channels, context.width()))

export async function noticeLog({ options }: InputOf<'notify log'>, context: Context): Promise<number> {
  const { channel, limit } = options
  const answer = await context.daemon().call('GET /api/notify/log', { query: { channel, limit } })
  const { length } = answer.notices
  // With nobody to tell, that nothing was told is no news.
  const channels =
    length > 0 || context.json ? [] : (await context.daemon().call('GET /api/notify/channels')).channels
  context.show(answer, () => {
    if (length > 0) return noticeLogLines(answer.notices, context.width(), Date.now())
    return channels.length === 0 ? NO_CHANNELS : ['Nothing was told yet.']
  })
  return 0
}
