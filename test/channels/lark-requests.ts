// What Lark sends: encrypted with the key of the app, and signed with it.
import { createCipheriv, createHash, randomBytes } from 'node:crypto'

export const KEY = 'encrypt-key'
export const TOKEN = 'verification-token'

/** As Lark does: AES-256-CBC with the hash of the key, the IV in front. */
export function encrypted(event: object): string {
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(KEY).digest(), iv)
  const text = Buffer.concat([iv, cipher.update(JSON.stringify(event)), cipher.final()])
  return JSON.stringify({ encrypt: text.toString('base64') })
}

export function signed(body: string, at = Date.now(), key = KEY) {
  const seconds = String(Math.floor(at / 1000))
  return {
    body,
    headers: {
      'x-lark-request-timestamp': seconds,
      'x-lark-request-nonce': 'n',
      'x-lark-signature': createHash('sha256').update(`${seconds}n${key}${body}`).digest('hex'),
    },
  }
}

export const header = (event_type: string, event_id = 'e1') => ({ event_type, event_id, token: TOKEN })

export const message = (text: string, open_id = 'ou_1', event_id = 'e1') => ({
  schema: '2.0',
  header: header('im.message.receive_v1', event_id),
  event: {
    sender: { sender_id: { open_id } },
    message: { message_id: 'om_1', content: JSON.stringify({ text }) },
  },
})

export const button = (ticket: string, open_id: string) => ({
  header: header('card.action.trigger'),
  event: { operator: { open_id }, action: { value: { ticket } } },
})
