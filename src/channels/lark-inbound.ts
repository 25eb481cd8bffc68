// Owns what comes from Lark: its check of the address, messages to the bot, and buttons of cards. With an encrypt key
// requests are encrypted and signed; without, they carry the verification token.
import { createDecipheriv, createHash } from 'node:crypto'
import type { InboundReply, InboundRequest, Received, Reply } from '../ports/channel.ts'
import { attempt } from './http.ts'
import { type LarkSettings, outcomeOf, sendAsApp, sendByWebhook } from './lark.ts'
import type { ChannelNeeds } from './needs.ts'
import { cut } from './plain-text.ts'
import { checkFresh, isSame, refused } from './signatures.ts'

type Settings = LarkSettings & { readonly users: readonly string[] }
type Fields = Readonly<Record<string, unknown>>

const LONGEST = 3500
const IV_BYTES = 16

export async function receiveFromLark(
  request: InboundRequest,
  settings: Settings,
  needs: ChannelNeeds,
): Promise<Received> {
  const body = await opened(request, settings, needs)
  const { header, event, token, type, challenge } = body
  await checkToken(Object(header).token ?? token, settings, needs)
  if (type === 'url_verification')
    return { kind: 'reply', reply: json({ challenge: String(challenge ?? '') }) }
  await checkSignature(request, settings, needs)
  const { event_type, event_id } = Object(header) as Fields
  const key = String(event_id ?? '')
  if (event_type === 'im.message.receive_v1') return ofMessage(Object(event), key, settings, needs)
  if (event_type === 'card.action.trigger') return ofButton(Object(event), key, settings)
  return { kind: 'reply', reply: json({}) }
}

async function opened(
  { body }: InboundRequest,
  { encryptKey }: Settings,
  needs: ChannelNeeds,
): Promise<Fields> {
  const outer = parsed(body)
  if (encryptKey === null) return outer
  if (typeof outer.encrypt !== 'string') throw refused('it is not encrypted')
  return parsed(decrypted(outer.encrypt, await needs.secret(encryptKey)))
}

function decrypted(text: string, key: string): string {
  try {
    const bytes = Buffer.from(text, 'base64')
    const hash = createHash('sha256').update(key).digest()
    const cipher = createDecipheriv('aes-256-cbc', hash, bytes.subarray(0, IV_BYTES))
    return Buffer.concat([cipher.update(bytes.subarray(IV_BYTES)), cipher.final()]).toString()
  } catch {
    throw refused('it is encrypted with another key')
  }
}

async function checkToken(
  given: unknown,
  { verificationToken }: Settings,
  needs: ChannelNeeds,
): Promise<void> {
  if (verificationToken === null) return
  if (!isSame(String(given ?? ''), await needs.secret(verificationToken)))
    throw refused('its verification token is wrong')
}

/** Lark signs only where there is an encrypt key. */
async function checkSignature(
  { headers, body }: InboundRequest,
  { encryptKey }: Settings,
  needs: ChannelNeeds,
): Promise<void> {
  if (encryptKey === null) return
  const seconds = checkFresh(headers['x-lark-request-timestamp'], needs.clock.now())
  const nonce = headers['x-lark-request-nonce'] ?? ''
  const signed = `${seconds}${nonce}${await needs.secret(encryptKey)}${body}`
  const right = createHash('sha256').update(signed).digest('hex')
  if (!isSame(headers['x-lark-signature'] ?? '', right)) throw refused('its signature is wrong')
}

function ofMessage(event: Fields, key: string, settings: Settings, needs: ChannelNeeds): Received {
  const { sender, message } = event as { sender?: unknown; message?: unknown }
  const user = String(Object(Object(sender).sender_id).open_id ?? '')
  const { content, message_id } = Object(message) as Fields
  const text = String(Object(parsed(String(content ?? '{}'))).text ?? '')
    // How Lark writes that somebody was mentioned.
    .replace(/@_\w+/g, '')
    .trim()
  if (user === '' || !text.startsWith('/')) return { kind: 'reply', reply: json({}) }
  return {
    kind: 'said',
    said: { user, key, what: { kind: 'command', text } },
    isAllowed: settings.users.includes(user),
    async answer(reply) {
      // Lark brings again what has no answer after three seconds, and is told by a request of our own.
      void tell(reply, String(message_id ?? ''), settings, needs)
      return json({})
    },
  }
}

function ofButton(event: Fields, key: string, { users }: Settings): Received {
  const user = String(Object(event.operator).open_id ?? '')
  const { ticket } = Object(Object(event.action).value) as Fields
  if (user === '' || typeof ticket !== 'string') return { kind: 'reply', reply: json({}) }
  return {
    kind: 'said',
    said: { user, key, what: { kind: 'button', ticket } },
    isAllowed: users.includes(user),
    answer: async ({ done, words }) =>
      json({ toast: { type: done ? 'success' : 'error', content: cut(words, 200) } }),
  }
}

/** An app replies to the message; a custom bot can only write to its group. What cannot be told is left. */
async function tell(
  { words }: Reply,
  messageId: string,
  settings: Settings,
  needs: ChannelNeeds,
): Promise<void> {
  const text = cut(words, LONGEST)
  const card = { elements: [{ tag: 'div', text: { tag: 'plain_text', content: text } }] }
  const outcome = await attempt(async () =>
    outcomeOf(
      settings.appId !== null && /^[\w-]{1,100}$/.test(messageId)
        ? await sendAsApp(
            `/open-apis/im/v1/messages/${messageId}/reply`,
            { msg_type: 'interactive', content: JSON.stringify(card) },
            settings,
            needs,
          )
        : await sendByWebhook({ msg_type: 'interactive', card }, settings, needs),
    ),
  )
  if (outcome.kind !== 'sent')
    needs.log.warn('Lark could not be told what came of a command', { error: outcome.why })
}

function parsed(text: string): Fields {
  try {
    return Object(JSON.parse(text)) as Fields
  } catch {
    throw refused('it is not JSON')
  }
}

const json = (body: unknown): InboundReply => ({
  status: 200,
  type: 'application/json',
  body: JSON.stringify(body),
})
