// Owns making channels of the settings.
import { messageOf } from '../domain/errors.ts'
import type { ChannelSettings, NotifyChannels } from '../domain/settings/notify-channels.ts'
import type { Channel } from '../ports/channel.ts'
import { bell } from './bell.ts'
import { command } from './command.ts'
import { email } from './email.ts'
import { lark } from './lark.ts'
import type { ChannelNeeds } from './needs.ts'
import { ntfy } from './ntfy.ts'
import { ROOMS } from './rooms.ts'
import { slack } from './slack.ts'
import { telegram } from './telegram.ts'
import { webhook } from './webhook.ts'

export const openChannels = (settings: NotifyChannels, needs: ChannelNeeds): Channel[] =>
  Object.entries(settings).map(([name, one]) => ({
    ...channelOf(name, one, needs),
    room: ROOMS[one.type],
    problem: () => problemOf(one, needs),
  }))

function channelOf(
  name: string,
  settings: ChannelSettings,
  needs: ChannelNeeds,
): Omit<Channel, 'problem' | 'room'> {
  switch (settings.type) {
    case 'webhook':
      return webhook(name, settings, needs)
    case 'slack':
      return slack(name, settings, needs)
    case 'lark':
      return lark(name, settings, needs)
    case 'email':
      return email(name, settings, needs)
    case 'ntfy':
      return ntfy(name, settings, needs)
    case 'telegram':
      return telegram(name, settings, needs)
    case 'command':
      return command(name, settings, needs)
    case 'bell':
      return bell(name, needs)
  }
}

/** The first of its secrets that cannot be read. */
async function problemOf(settings: ChannelSettings, { secret }: ChannelNeeds): Promise<string | null> {
  for (const place of Object.values(settings))
    if (typeof place === 'object' && place !== null && ('file' in place || 'env' in place))
      try {
        await secret(place)
      } catch (error) {
        return messageOf(error)
      }
  return null
}
