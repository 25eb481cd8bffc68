// Owns the setting `notify.channels`: by which ways people are told, and who may answer there.
import { BadSetting } from '../bad-setting.ts'
import { isName, NAME_RULE } from '../names/names.ts'
import {
  address,
  id,
  listOf,
  optional,
  quietHours,
  type Reader,
  secret,
  smtpServer,
  text,
  textOrSecret,
  url,
  urlOrSecret,
  withDefault,
} from './notify-fields.ts'

const MOST_CHANNELS = 50
const users = optional(listOf(id))

const shapes = {
  webhook: { url: urlOrSecret, secret },
  slack: { url: secret, signingSecret: optional(secret), users },
  lark: {
    url: optional(secret),
    secret: optional(secret),
    verificationToken: optional(secret),
    encryptKey: optional(secret),
    users,
    appId: optional(text),
    appSecret: optional(secret),
    chat: optional(id),
    server: withDefault(url, 'https://open.larksuite.com'),
  },
  email: {
    server: smtpServer,
    user: optional(text),
    password: optional(secret),
    from: address,
    to: listOf(address),
  },
  ntfy: {
    server: withDefault(url, 'https://ntfy.sh'),
    topic: textOrSecret,
    token: optional(secret),
  },
  telegram: { server: withDefault(url, 'https://api.telegram.org'), token: secret, chats: listOf(id) },
  command: { argv: listOf(text) },
  bell: {},
} as const satisfies Readonly<Record<string, Readonly<Record<string, Reader<unknown>>>>>

type Shapes = typeof shapes
export type ChannelType = keyof Shapes
export const CHANNEL_TYPES = Object.keys(shapes) as ChannelType[]

type Fields<Shape> = {
  readonly [Field in keyof Shape]: Shape[Field] extends Reader<infer Value> ? Value : never
}
/** `quietHours`: its own; undefined when those of `notify.quietHours` count. */
export type ChannelSettings<Type extends ChannelType = ChannelType> = {
  [One in Type]: { readonly type: One; readonly quietHours?: string | null } & Fields<Shapes[One]>
}[Type]
export type NotifyChannels = Readonly<Record<string, ChannelSettings>>

export function readNotifyChannels(raw: unknown): NotifyChannels {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw new BadSetting('must be a map from the name of a channel to its settings')
  const channels = Object.entries(raw)
  if (channels.length > MOST_CHANNELS) throw new BadSetting(`may have at most ${MOST_CHANNELS} channels`)
  return Object.fromEntries(channels.map(([name, one]) => [checkedName(name), readChannel(one, `.${name}`)]))
}

function checkedName(name: string): string {
  if (!isName(name)) throw new BadSetting(NAME_RULE, `.${name}`)
  return name
}

function readChannel(raw: unknown, at: string): ChannelSettings {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw new BadSetting('must be a map with a type', at)
  const { type, quietHours: quiet, ...fields } = raw as Record<string, unknown>
  if (!CHANNEL_TYPES.includes(type as ChannelType))
    throw new BadSetting(`must be one of ${CHANNEL_TYPES.join(', ')}`, `${at}.type`)
  const shape: Readonly<Record<string, Reader<unknown>>> = shapes[type as ChannelType]
  const unknown = Object.keys(fields).find((field) => !Object.hasOwn(shape, field))
  if (unknown !== undefined)
    throw new BadSetting(
      `is unknown; a ${type} has ${[...Object.keys(shape), 'quietHours'].join(', ')}`,
      `${at}.${unknown}`,
    )
  const read = Object.entries(shape).map(([field, reader]) => [
    field,
    reader(fields[field], `${at}.${field}`),
  ])
  const channel = {
    type,
    ...(quiet === undefined ? {} : { quietHours: quietHours(quiet, `${at}.quietHours`) }),
    ...Object.fromEntries(read),
  } as ChannelSettings
  checkTogether(channel, at)
  return channel
}

/** What one field alone does not show. */
function checkTogether(channel: ChannelSettings, at: string): void {
  if (channel.type === 'lark') {
    if (channel.url === null && channel.chat === null)
      throw new BadSetting('needs `url` (a custom bot), or `chat` with `appId` and `appSecret` (an app)', at)
    if ((channel.appId === null) !== (channel.appSecret === null))
      throw new BadSetting('needs both `appId` and `appSecret`, or none', at)
    if (channel.chat !== null && channel.appId === null)
      throw new BadSetting('needs `appId` and `appSecret` to write to `chat`', at)
    if (channel.users !== null && channel.verificationToken === null && channel.encryptKey === null)
      throw new BadSetting('needs `encryptKey` or `verificationToken` for `users` to answer', at)
  }
  if (channel.type === 'slack' && channel.users !== null && channel.signingSecret === null)
    throw new BadSetting('needs `signingSecret` for `users` to answer', at)
  if (channel.type === 'email' && (channel.user === null) !== (channel.password === null))
    throw new BadSetting('needs both `user` and `password`, or none', at)
}
