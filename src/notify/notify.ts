// Owns what other rooms may ask about channels: what is told, a test message, and what comes in by them.
import { HoldfastError } from '../domain/errors.ts'
import { quietUntil } from '../domain/notify/pace.ts'
import type { Channel, InboundReply, InboundRequest, Receipts } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { ChannelCounts, LoggedNotice, NoticeReads } from '../ports/store/notices.ts'
import { callerBy, type HearNeeds, hear } from './inbound/hear.ts'

export type NotifyNeeds = HearNeeds & {
  readonly clock: Pick<Clock, 'minuteOfDay'>
  readonly channels: readonly Channel[]
  /** Null when it is never quiet. */
  readonly quietHours: (channel: string) => string | null
  readonly newId: () => string
}

/** `why`: what keeps it from being told, or kept; null for what was sent. */
export type NoticeSeen = LoggedNotice & { readonly why: string | null }

/** `problem`: why nothing can be sent by it now. */
export type ChannelSeen = Pick<Channel, 'name' | 'type'> &
  Omit<ChannelCounts, 'channel'> & {
    readonly canAnswer: boolean
    readonly problem: string | null
  }

export type Notify = ReturnType<typeof openNotify>

export const openNotify = (needs: NotifyNeeds) => ({
  /** Also those that are no longer in the settings, and have something left over. */
  channels: (): Promise<ChannelSeen[]> => lookAtChannels(needs),

  /** Newest first. CHANNEL_NOT_FOUND for a channel that there is not, and never was. */
  async log(ask: Parameters<NoticeReads['noticeLog']>[0]): Promise<NoticeSeen[]> {
    const rows = await needs.desk.notices.log(ask)
    // One that is no longer in the settings may have rows. Without any, its name is a mistake.
    if (rows.length === 0 && ask.channel !== undefined && ask.before === undefined)
      channelNamed(ask.channel, needs)
    return rows.map((row) => ({ ...row, why: whyOf(row, needs) }))
  },

  /** CHANNEL_FAILED when it was not taken. */
  async test(name: string): Promise<{ readonly id: string }> {
    const id = needs.newId()
    const outcome = await channelNamed(name, needs).send(testMessage(id, needs.clock.now()), NO_RECEIPTS)
    if (outcome.kind !== 'sent') throw new HoldfastError('CHANNEL_FAILED', `${name}: ${outcome.why}`)
    return { id }
  },

  /** What was set aside for this channel is tried again. */
  async retry(name: string): Promise<void> {
    channelNamed(name, needs)
    await needs.desk.notices.change({ retryNotices: { channel: name, at: needs.clock.now() } })
  },

  /** INBOUND_REFUSED when the request does not come from where it says. */
  async receive(name: string, request: InboundRequest): Promise<InboundReply> {
    const channel = needs.channels.find((one) => one.name === name)
    if (channel?.receive === undefined)
      throw new HoldfastError('CHANNEL_NOT_FOUND', 'Nothing comes in by a channel of this name.')
    const received = await channel.receive(request)
    if (received.kind === 'reply') return received.reply
    const { said, isAllowed, answer } = received
    if (said.what.kind === 'button' && needs.tickets.read(said.what.ticket) === undefined)
      throw new HoldfastError('INBOUND_REFUSED', 'The request is refused: its ticket is not one of Holdfast.')
    const caller = callerBy(channel, said.user)
    return await answer(
      isAllowed ? await hear(said, caller, needs) : { done: false, words: notAllowed(said.user, channel) },
    )
  },

  /** Asks the channels that have to be asked, until the signal is aborted. */
  async listen(stop: AbortSignal): Promise<void> {
    await Promise.all(
      needs.channels.map((channel) =>
        channel.listen?.((said) => hear(said, callerBy(channel, said.user), needs), stop),
      ),
    )
  },
})

function whyOf(
  { channel, dropped, delivery }: LoggedNotice,
  { clock, quietHours }: NotifyNeeds,
): string | null {
  if (dropped !== null || delivery?.error) return dropped ?? delivery?.error ?? null
  if (delivery !== null && delivery.state !== 'waiting') return null
  const until = quietUntil(quietHours(channel), clock.minuteOfDay())
  if (until !== null) return `quiet hours until ${until}`
  return delivery === null ? 'it is in the next message' : 'it is being sent'
}

const channelNamed = (name: string, { channels }: NotifyNeeds): Channel => {
  const channel = channels.find((one) => one.name === name)
  if (channel !== undefined) return channel
  const known = channels.map((one) => one.name)
  throw new HoldfastError(
    'CHANNEL_NOT_FOUND',
    known.length === 0
      ? 'No channels are set up.'
      : `There is no channel '${name}'. The channels: ${known.join(', ')}.`,
  )
}

const notAllowed = (user: string, { name }: Channel) =>
  `You may not do that: '${user}' is not in notify.channels.${name}.users.`

async function lookAtChannels({ channels, desk }: NotifyNeeds): Promise<ChannelSeen[]> {
  const counts = await desk.notices.counts(channels.map(({ name }) => name))
  const seen = channels.map(async (channel): Promise<ChannelSeen> => {
    const { name, type, canAnswer } = channel
    const { channel: _, ...counted } = counts.find((one) => one.channel === name) ?? nothingFor(name)
    return { name, type, canAnswer, problem: await channel.problem(), ...counted }
  })
  const gone = counts.filter(({ channel }) => !channels.some(({ name }) => name === channel))
  return [
    ...(await Promise.all(seen)),
    ...gone.map(({ channel: name, ...counted }) => ({
      name,
      type: 'gone',
      canAnswer: false,
      problem: 'it is no longer in the settings',
      ...counted,
    })),
  ]
}

const nothingFor = (channel: string): ChannelCounts => ({
  channel,
  waiting: 0,
  setAside: 0,
  lastSentAt: null,
  lastError: null,
})

/** A test is sent once, to all. */
const NO_RECEIPTS: Receipts = { taken: new Set(), take: async () => {} }

const testMessage = (id: string, at: number) => ({
  id,
  title: 'A test of Holdfast',
  notices: [
    {
      id,
      kind: 'progress' as const,
      sessionId: null,
      title: 'A test of Holdfast',
      text: 'This channel works.',
      at,
      question: null,
      buttons: [],
      isBrief: false,
    },
  ],
})
