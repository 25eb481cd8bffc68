// Owns telling people in Telegram, with buttons, and asking it for what they answer: no public address is needed.
import { messageOf } from '../domain/errors.ts'
import type { ChannelSettings } from '../domain/settings/notify-channels.ts'
import { cutTo } from '../domain/text/sized-text.ts'
import type { Channel, ChannelMessage, Outcome, Receipts, Reply, Said } from '../ports/channel.ts'
import { attempt, type HttpAnswer, post, refusalOf } from './http.ts'
import { jsonIn } from './json-in.ts'
import type { ChannelNeeds } from './needs.ts'
import { cut, plainText } from './plain-text.ts'

const LONGEST_TEXT = 4000
const LONGEST_LABEL = 60
/** How long Telegram keeps a question open when there is nothing new. */
const POLL_SECONDS = 50
/** What is not read yet waits there. */
const MOST_UPDATES = 20
const AGAIN_MS = 5000

type Settings = ChannelSettings<'telegram'>

export const telegram = (
  name: string,
  settings: Settings,
  needs: ChannelNeeds,
): Omit<Channel, 'problem' | 'room'> => ({
  name,
  type: 'telegram',
  canAnswer: true,
  send: (told, receipts) => sendToAll(told, receipts, settings, needs),
  listen: (hear, stop) => poll(hear, stop, settings, needs),
})

/** A chat that has the message is not told again when another one fails, and one that fails holds up no other. */
async function sendToAll(
  message: ChannelMessage,
  { taken, take }: Receipts,
  settings: Settings,
  needs: ChannelNeeds,
): Promise<Outcome> {
  const refusals: Outcome[] = []
  for (const chat of settings.chats) {
    if (taken.has(chat)) continue
    const outcome = await attempt(
      async () =>
        refusedBy(await call('sendMessage', messageFor(chat, message), settings, needs)) ?? { kind: 'sent' },
    )
    if (outcome.kind === 'sent') await take(chat)
    else refusals.push(outcome)
  }
  return refusals.find(({ kind }) => kind === 'later') ?? refusals[0] ?? { kind: 'sent' }
}

/** Without a parse mode, Telegram takes all of it as plain text. */
function messageFor(chat: string, message: ChannelMessage) {
  const text = cutUnits(`${message.title}\n\n${plainText(message)}`, LONGEST_TEXT)
  return {
    chat_id: chat,
    text: `${text}\n\n(${message.id})`,
    link_preview_options: { is_disabled: true },
    reply_markup: { inline_keyboard: keyboardOf(message) },
  }
}

/** With several notices, each button says which one it is for. */
const keyboardOf = ({ notices }: ChannelMessage) =>
  notices.flatMap(({ buttons }, place) =>
    buttons.map(({ label, ticket }) => {
      const text = notices.length === 1 ? label : `${place + 1}: ${label}`
      return [{ text: cut(text, LONGEST_LABEL), callback_data: ticket }]
    }),
  )

const cutUnits = (text: string, most: number) => cutTo(text, most, 'units')

async function call(
  method: string,
  body: unknown,
  { server, token }: Settings,
  { secret }: ChannelNeeds,
  more: Parameters<typeof post>[3] = {},
): Promise<HttpAnswer> {
  const url = `${server}/bot${await secret(token)}/${method}`
  try {
    return await post(url, JSON.stringify(body), { 'content-type': 'application/json' }, more)
  } catch (error) {
    // The address has the token in it.
    throw new Error(`${method} failed: ${messageOf(Object(error).cause ?? error)}`.replaceAll(url, server))
  }
}

function refusedBy(answer: HttpAnswer): Outcome | null {
  const refusal = refusalOf(answer)
  const seconds = Number(Object(Object(jsonIn(answer.text)).parameters).retry_after)
  return refusal?.kind === 'later' && seconds > 0 ? { ...refusal, afterMs: seconds * 1000 } : refusal
}

/** What is answered twice because a daemon died in between is answered once: the question says so. */
async function poll(
  hear: (said: Said) => Promise<Reply>,
  stop: AbortSignal,
  settings: Settings,
  needs: ChannelNeeds,
): Promise<void> {
  for (let offset = 0; !stop.aborted; ) {
    try {
      const ask = {
        offset,
        limit: MOST_UPDATES,
        timeout: POLL_SECONDS,
        allowed_updates: ['message', 'callback_query'],
      }
      const patience = { signal: stop, patienceMs: (POLL_SECONDS + 10) * 1000 }
      const answer = await call('getUpdates', ask, settings, needs, patience)
      const refusal = refusedBy(answer)
      if (refusal !== null && refusal.kind !== 'sent') throw new Error(refusal.why)
      for (const update of updatesIn(answer.text)) {
        await take(update, hear, settings, needs)
        offset = Number(update.update_id) + 1
      }
    } catch (error) {
      if (stop.aborted) return
      needs.log.warn('Telegram could not be asked', { error: messageOf(error) })
      await needs.clock.sleep(AGAIN_MS)
    }
  }
}

type Update = Readonly<Record<string, unknown>> & { readonly update_id: number }

/** Throws for anything else: it would be asked for again at once, for ever. */
function updatesIn(text: string): Update[] {
  const { result } = Object(jsonIn(text)) as { result?: unknown }
  if (!Array.isArray(result)) throw new Error('it answered something else than updates')
  return result.filter((one) => Number.isInteger(Object(one).update_id))
}

async function take(
  { update_id, message, callback_query }: Update,
  hear: (said: Said) => Promise<Reply>,
  settings: Settings,
  needs: ChannelNeeds,
): Promise<void> {
  const pressed = Object(callback_query)
  const written = Object(message)
  const chat = String(Object(Object(pressed.message ?? written).chat).id ?? '')
  // Anybody can write to a bot. Those whom nobody allowed are not even answered.
  if (!settings.chats.includes(chat)) return
  const user = String(Object(pressed.from ?? written.from).id ?? chat)
  const key = String(update_id)
  if (typeof pressed.data === 'string') {
    const reply = await hear({ user, key, what: { kind: 'button', ticket: pressed.data } })
    const words = { callback_query_id: pressed.id, text: cutUnits(reply.words, 190), show_alert: !reply.done }
    await tell('answerCallbackQuery', words, settings, needs)
  } else if (typeof written.text === 'string' && written.text.startsWith('/')) {
    const { words } = await hear({ user, key, what: { kind: 'command', text: written.text } })
    await tell('sendMessage', { chat_id: chat, text: cutUnits(words, LONGEST_TEXT) }, settings, needs)
  }
}

/** What was asked for is done, also when nobody can be told so. */
async function tell(method: string, body: unknown, settings: Settings, needs: ChannelNeeds): Promise<void> {
  await call(method, body, settings, needs).catch((error) =>
    needs.log.warn('Telegram could not be told what came of an answer', { error: messageOf(error) }),
  )
}
