// Owns telling people by ntfy, on their phones, with buttons that answer by our public address.
import type { NoticeKind } from '../domain/notify/notice.ts'
import type { ChannelSettings } from '../domain/settings/notify-channels.ts'
import { cutTo } from '../domain/text/sized-text.ts'
import type { Channel, ChannelMessage, NoticeToSend } from '../ports/channel.ts'
import { attempt, post, refusalOf } from './http.ts'
import { type ChannelNeeds, givenValue } from './needs.ts'
import { cut, plainText } from './plain-text.ts'
import { refused } from './signatures.ts'

/** ntfy takes 4096 bytes, and twice that as JSON, in which a letter may be two. It shows three buttons at most. */
const MOST_TEXT_BYTES = 4000
const MOST_JSON_BYTES = 8000
const LONGEST_LABEL = 60
const MOST_BUTTONS = 3
/** From 1 to 5. */
const PRIORITIES: Readonly<Record<NoticeKind, number>> = {
  question: 4,
  escalation: 4,
  failure: 4,
  stuck: 4,
  limit: 3,
  completion: 3,
  progress: 2,
}

export const ntfy = (
  name: string,
  settings: ChannelSettings<'ntfy'>,
  needs: ChannelNeeds,
): Omit<Channel, 'problem' | 'room'> => ({
  name,
  type: 'ntfy',
  canAnswer: needs.publicUrl !== null,
  send: (told) =>
    attempt(async () => {
      const message = {
        topic: await givenValue(settings.topic, needs),
        // One that comes again takes the place of the first.
        sequence_id: told.id,
        title: cut(told.title, 200),
        priority: Math.max(...told.notices.map(priorityOf)),
        actions: actionsOf(told, `${needs.publicUrl}/inbound/${name}`),
      }
      const headers = {
        'content-type': 'application/json',
        ...(settings.token === null ? {} : { authorization: `Bearer ${await needs.secret(settings.token)}` }),
      }
      return refusalOf(await post(settings.server, withText(message, told), headers)) ?? { kind: 'sent' }
    }),

  /** The ticket in the body is the signature: nobody else can make one, and it is checked with the answer. */
  async receive({ body }) {
    const ticket = body.trim()
    if (!/^[\w.-]{20,64}$/.test(ticket)) throw refused('it has no ticket')
    const said = { user: 'phone', key: ticket, what: { kind: 'button', ticket } } as const
    return {
      kind: 'said',
      said,
      isAllowed: true,
      // The app shows an error when it is none of 2xx.
      answer: async ({ done, words }) => ({
        status: done ? 200 : 409,
        type: 'text/plain; charset=utf-8',
        body: `${words}\n`,
      }),
    }
  },
})

/** A question that is over wakes nobody. */
const priorityOf = ({ kind, question }: NoticeToSend) =>
  kind === 'question' && question === null ? PRIORITIES.progress : PRIORITIES[kind]

/** All of it as JSON; what is too long is cut from the text. */
function withText(message: object, told: ChannelMessage): string {
  const text = cutBytes(plainText(told), MOST_TEXT_BYTES)
  const jsonWith = (shown: string) => JSON.stringify({ ...message, message: shown })
  const over = Buffer.byteLength(jsonWith(text)) - MOST_JSON_BYTES
  return jsonWith(over > 0 ? cutBytes(text, Buffer.byteLength(text) - over) : text)
}

const cutBytes = (text: string, most: number) => cutTo(text, most, 'bytes')

/** With several questions at once, nobody would know which one a button is for. */
function actionsOf({ notices }: ChannelMessage, url: string) {
  const asking = notices.filter(({ buttons }) => buttons.length > 0)
  const buttons = asking.length === 1 ? asking.flatMap((one) => one.buttons) : []
  if (buttons.length > MOST_BUTTONS) return []
  return buttons.map(({ label, ticket }) => ({
    action: 'http',
    label: cut(label, LONGEST_LABEL),
    url,
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: ticket,
    clear: true,
  }))
}
