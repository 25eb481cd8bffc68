// Owns telling people in Slack: an incoming webhook, with buttons where somebody may answer.
import type { ChannelSettings } from '../domain/settings/notify-channels.ts'
import type { Channel, ChannelMessage, NoticeToSend } from '../ports/channel.ts'
import { attempt, post, refusalOf } from './http.ts'
import type { ChannelNeeds } from './needs.ts'
import { cut, shown } from './plain-text.ts'
import { receiveFromSlack } from './slack-inbound.ts'

const LONGEST_TEXT = 3000
const LONGEST_LABEL = 70

export const slack = (
  name: string,
  settings: ChannelSettings<'slack'>,
  needs: ChannelNeeds,
): Omit<Channel, 'problem' | 'room'> => {
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

function messageOf({ id, title, notices }: ChannelMessage) {
  const brief = notices.filter(({ isBrief }) => isBrief)
  return {
    // What a phone shows of it.
    text: escapeMrkdwn(cut(title, LONGEST_TEXT)),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      ...notices.filter(({ isBrief }) => !isBrief).flatMap(blocksOf),
      ...linesTogether(brief.map(shown)).map((lines) => ({
        type: 'section',
        text: plain(lines, LONGEST_TEXT),
      })),
      { type: 'context', elements: [plain(`id ${id}`, 100)] },
    ],
  }
}

/** As few blocks as they go into: a message takes fifty. */
function linesTogether(lines: readonly string[]): string[] {
  const blocks: string[] = []
  for (const one of lines) {
    const last = blocks.at(-1)
    if (last === undefined || last.length + one.length + 1 > LONGEST_TEXT) blocks.push(one)
    else blocks[blocks.length - 1] = `${last}\n${one}`
  }
  return blocks
}

function blocksOf(notice: NoticeToSend) {
  const { id, buttons } = notice
  const elements = buttons.map(({ label, ticket }, at) => ({
    type: 'button',
    action_id: `answer_${at}`,
    text: plain(label, LONGEST_LABEL),
    value: ticket,
  }))
  return [
    { type: 'section', text: plain(shown(notice), LONGEST_TEXT) },
    ...(elements.length === 0 ? [] : [{ type: 'actions', block_id: id, elements }]),
  ]
}
