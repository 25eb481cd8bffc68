// Owns telling people in Slack: an incoming webhook, with buttons where somebody may answer.
import type { ChannelSettings } from '../domain/settings/notify-channels.ts'
import type { Channel, Told, ToldNotice } from '../ports/channel.ts'
import { attempt, post, refusalOf } from './http.ts'
import type { ChannelNeeds } from './needs.ts'
import { cut } from './plain-text.ts'
import { receiveFromSlack } from './slack-inbound.ts'

const MOST_SHOWN = 15
const LONGEST_TEXT = 2900
const LONGEST_LABEL = 70

export const slack = (
  name: string,
  settings: ChannelSettings<'slack'>,
  needs: ChannelNeeds,
): Omit<Channel, 'problem'> => {
  const { signingSecret, users } = settings
  const canAnswer = signingSecret !== null && users !== null
  return {
    name,
    type: 'slack',
    canAnswer,
    send: (told) =>
      attempt(async () => {
        const url = await needs.secret(settings.url)
        const answer = await post(url, JSON.stringify(messageOf(told)), {
          'content-type': 'application/json',
        })
        return refusalOf(answer) ?? { kind: 'sent' }
      }),
    ...(canAnswer && {
      receive: (request) => receiveFromSlack(request, { ...settings, signingSecret, users }, needs),
    }),
  }
}

/** Slack reads `<!channel>` and links out of a text; not out of `plain_text`. */
const plain = (text: string, most: number) => ({ type: 'plain_text', text: cut(text, most), emoji: false })

export const escapeMrkdwn = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function messageOf({ id, title, notices }: Told) {
  const left = notices.length - MOST_SHOWN
  return {
    // What a phone shows of it.
    text: escapeMrkdwn(cut(title, LONGEST_TEXT)),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      ...notices.slice(0, MOST_SHOWN).flatMap(blocksOf),
      ...(left > 0 ? [{ type: 'section', text: plain(`and ${left} more`, 100) }] : []),
      { type: 'context', elements: [plain(`id ${id}`, 100)] },
    ],
  }
}

function blocksOf({ id, title, text, buttons }: ToldNotice) {
  const elements = buttons.map(({ label, ticket }, at) => ({
    type: 'button',
    action_id: `answer_${at}`,
    text: plain(label, LONGEST_LABEL),
    value: ticket,
  }))
  return [
    { type: 'section', text: plain(`${title}\n${text}`, LONGEST_TEXT) },
    ...(elements.length === 0 ? [] : [{ type: 'actions', block_id: id, elements }]),
  ]
}
