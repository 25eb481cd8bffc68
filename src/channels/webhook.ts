// Owns telling a program of the user's own over HTTP, signed as Standard Webhooks are.
import type { ChannelSettings } from '../domain/settings/notify-channels.ts'
import { iso } from '../domain/task/session-record.ts'
import type { Channel, ChannelMessage } from '../ports/channel.ts'
import { attempt, post, refusalOf } from './http.ts'
import { type ChannelNeeds, givenValue } from './needs.ts'
import { hmac } from './signatures.ts'

export const webhook = (
  name: string,
  settings: ChannelSettings<'webhook'>,
  needs: ChannelNeeds,
): Omit<Channel, 'problem' | 'room'> => ({
  name,
  type: 'webhook',
  canAnswer: false,
  send: (told) =>
    attempt(async () => {
      const body = JSON.stringify(payloadOf(told))
      const headers = signed(told.id, body, await needs.secret(settings.secret), needs.clock.now())
      const answer = await post(await givenValue(settings.url, needs), body, headers)
      return refusalOf(answer) ?? { kind: 'sent' }
    }),
})

/** What webhooks and commands are given. docs/notifications.md shows it. */
export const payloadOf = ({ id, title, notices }: ChannelMessage) => ({
  id,
  title,
  notices: notices.map((notice) => ({
    id: notice.id,
    kind: notice.kind,
    session_id: notice.sessionId,
    title: notice.title,
    text: notice.text,
    at: iso(notice.at),
    question: notice.question,
  })),
})

function signed(id: string, body: string, secret: string, now: number): Record<string, string> {
  const seconds = String(Math.floor(now / 1000))
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${hmac(key, `${id}.${seconds}.${body}`).digest('base64')}`,
  }
}
