// Owns telling people in Lark: by a custom bot's signed webhook, or as an app, whose cards have buttons.
import type { ChannelSettings } from '../domain/settings/notify-channels.ts'
import type { Channel, ChannelMessage, NoticeToSend, Outcome } from '../ports/channel.ts'
import { attempt, type HttpAnswer, post, refusalOf, saysTooBig } from './http.ts'
import { jsonIn } from './json-in.ts'
import { receiveFromLark } from './lark-inbound.ts'
import type { ChannelNeeds } from './needs.ts'
import { cut, shown } from './plain-text.ts'
import { hmac } from './signatures.ts'

const LONGEST_TEXT = 6000
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
/** Codes of Lark for "too many at once", and for its own trouble. */
const LATER: readonly number[] = [9499, 11232, 230020, 99991400, 1000004, 1000005]

export type LarkSettings = ChannelSettings<'lark'>

export const lark = (
  name: string,
  settings: LarkSettings,
  needs: ChannelNeeds,
): Omit<Channel, 'problem' | 'room'> => {
  const { chat, users } = settings
  return {
    name,
    type: 'lark',
    canAnswer: users !== null && chat !== null,
    send: (told) =>
      attempt(async () =>
        outcomeOf(
          chat === null
            ? await sendByWebhook(cardMessage(told), settings, needs)
            : await sendAsApp(
                `/open-apis/im/v1/messages?receive_id_type=chat_id`,
                // Lark takes a message with the same uuid once.
                { receive_id: chat, ...cardContent(told), uuid: told.id.slice(0, 50) },
                settings,
                needs,
              ),
        ),
      ),
    ...(users !== null && { receive: (request) => receiveFromLark(request, { ...settings, users }, needs) }),
  }
}

/** As Lark wants it: the time and the secret are the key, and nothing is signed with it. */
export async function sendByWebhook(
  message: Readonly<Record<string, unknown>>,
  { url, secret }: LarkSettings,
  needs: ChannelNeeds,
): Promise<HttpAnswer> {
  if (url === null) throw new Error('it has no url')
  const timestamp = String(Math.floor(needs.clock.now() / 1000))
  const sign =
    secret === null
      ? {}
      : { timestamp, sign: hmac(`${timestamp}\n${await needs.secret(secret)}`, '').digest('base64') }
  return post(await needs.secret(url), JSON.stringify({ ...sign, ...message }), JSON_TYPE)
}

export async function sendAsApp(
  path: string,
  body: unknown,
  { server, appId, appSecret }: LarkSettings,
  needs: ChannelNeeds,
): Promise<HttpAnswer> {
  if (appId === null || appSecret === null) throw new Error('it has no app')
  const login = JSON.stringify({ app_id: appId, app_secret: await needs.secret(appSecret) })
  const answer = await post(`${server}/open-apis/auth/v3/tenant_access_token/internal`, login, JSON_TYPE)
  const { tenant_access_token: token } = Object(jsonIn(answer.text)) as { tenant_access_token?: unknown }
  // With a code, the answer says itself why.
  if (typeof token !== 'string')
    return codeOf(answer) === 0 && answer.status < 300 ? { ...answer, status: 401 } : answer
  return post(`${server}${path}`, JSON.stringify(body), { ...JSON_TYPE, authorization: `Bearer ${token}` })
}

/** Lark answers 200 also when it refuses, and 400 also when it takes the same a moment later: its code says which. */
export function outcomeOf(answer: HttpAnswer): Outcome {
  const refusal = refusalOf(answer)
  const code = codeOf(answer)
  if (code === 0) return refusal ?? { kind: 'sent' }
  if (refusal?.kind === 'later') return refusal
  const { msg = '' } = Object(jsonIn(answer.text)) as { msg?: unknown }
  const why = `it answered ${code}: ${cut(String(msg), 200)}`
  if (LATER.includes(code)) return { kind: 'later', why }
  return { kind: saysTooBig(String(msg)) ? 'too_big' : 'never', why }
}

/** 0 where there is none. */
const codeOf = ({ text }: HttpAnswer): number => Number(Object(jsonIn(text)).code ?? 0)

const cardMessage = (message: ChannelMessage) => ({ msg_type: 'interactive', card: cardOf(message) })
const cardContent = (message: ChannelMessage) => ({
  msg_type: 'interactive',
  content: JSON.stringify(cardOf(message)),
})

/** Lark reads `<at …>` out of a text; not out of `plain_text`. */
const plain = (text: string, most: number) => ({ tag: 'plain_text', content: cut(text, most) })

function cardOf({ id, title, notices }: ChannelMessage) {
  const [only, ...others] = notices
  return {
    config: { wide_screen_mode: true },
    header: { title: plain(title, 150) },
    elements: [
      // The head has the title of a single one.
      ...(only !== undefined && others.length === 0
        ? elementsOf(only, only.text)
        : notices.flatMap((notice) => elementsOf(notice, shown(notice)))),
      { tag: 'note', elements: [plain(`id ${id}`, 100)] },
    ],
  }
}

function elementsOf({ buttons }: NoticeToSend, words: string) {
  const actions = buttons.map(({ label, ticket }) => ({
    tag: 'button',
    text: plain(label, 60),
    type: 'default',
    value: { ticket },
  }))
  return [
    { tag: 'div', text: plain(words, LONGEST_TEXT) },
    ...(actions.length === 0 ? [] : [{ tag: 'action', actions }]),
  ]
}
