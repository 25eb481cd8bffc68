import { expect, onTestFinished, test } from 'vitest'
import type { Said } from '../../src/ports/channel.ts'
import { systemClock } from '../../src/system/clock.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { aNotice, aQuestionNotice, HOSTILE, openChannel, receiptsOf, told } from './channel-world.ts'
import { type Got, startReceiver } from './http-receiver.ts'

type Update = { update_id: number; message?: object; callback_query?: object }

/** A server that speaks Telegram's API: it hands out updates above the offset, and keeps what it was told. */
async function startTelegram(
  updates: Update[] = [],
  refuse: (got: Got) => object | null = () => null,
  sleep = (_ms: number) => systemClock.sleep(10),
) {
  /** What it says instead of updates. */
  const hands: { updates: string | undefined } = { updates: undefined }
  const receiver = await startReceiver(async (got) => {
    const refused = refuse(got)
    if (refused !== null) return { status: 400, body: refused }
    if (!got.path.endsWith('/getUpdates')) return { body: { ok: true, result: {} } }
    const { offset, limit = 100 } = JSON.parse(got.body)
    const result = updates.filter(({ update_id }) => update_id >= offset).slice(0, limit)
    if (hands.updates !== undefined) return { body: hands.updates }
    if (result.length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
    return { body: { ok: true, result } }
  })
  const channel = openChannel(
    { type: 'telegram', server: receiver.url, token: { env: 'TOKEN' }, chats: [12345, -100] },
    { TOKEN: '1:abc' },
    { clock: { ...systemClock, sleep } },
  )
  const calls = (method: string) =>
    receiver.got.filter(({ path }) => path === `/bot1:abc/${method}`).map(({ body }) => JSON.parse(body))
  return { ...receiver, channel, calls, hands }
}

function listening(channel: Awaited<ReturnType<typeof startTelegram>>['channel'], words = 'done') {
  const heard: Said[] = []
  const stop = new AbortController()
  const over = channel.listen!(async (said) => {
    heard.push(said)
    return { done: words === 'done', words }
  }, stop.signal)
  const end = async () => {
    stop.abort()
    await over
  }
  onTestFinished(end)
  return { heard, end }
}

test('each chat is told, as plain text, with a button for each option', async () => {
  const it = await startTelegram()
  const notice = aQuestionNotice({ title: HOSTILE, text: HOSTILE })
  expect(await it.channel.send(told(notice))).toEqual({ kind: 'sent' })
  const sent = it.calls('sendMessage')
  expect(sent.map(({ chat_id }) => chat_id)).toEqual(['12345', '-100'])
  expect(sent[0].parse_mode).toBeUndefined()
  expect(sent[0].text).toBe(`${HOSTILE}\n\n${HOSTILE}\n\n(delivery-1)`)
  expect(sent[0].reply_markup.inline_keyboard).toEqual(
    notice.buttons.map(({ label, ticket }) => [{ text: label, callback_data: ticket }]),
  )
})

test('with several notices each button says which one it is for', async () => {
  const it = await startTelegram()
  await it.channel.send(told(aQuestionNotice(), aNotice(), aQuestionNotice()))
  const [{ text, reply_markup }] = it.calls('sendMessage')
  expect(reply_markup.inline_keyboard.map(([{ text }]: [{ text: string }]) => text)).toEqual([
    '1: yes',
    '1: no',
    '3: yes',
    '3: no',
  ])
  expect(text).toMatch(
    /\n1\. fix-login asks: May I\?\n[\s\S]*\n2\. fix-login completed[\s\S]*\n3\. fix-login asks/,
  )
})

test('a long text is cut as Telegram counts, and no letter in two', async () => {
  const it = await startTelegram()
  await it.channel.send(told(aNotice({ text: '🙂'.repeat(4000) })))
  const [{ text }] = it.calls('sendMessage')
  expect(text.length).toBeLessThanOrEqual(4096)
  expect(text.isWellFormed()).toBe(true)
})

test('a chat that has the message is not told again when another one fails', async () => {
  let isDown = true
  const it = await startTelegram([], ({ body }) =>
    isDown && body.includes('"-100"') ? { ok: false, error_code: 400, description: 'chat not found' } : null,
  )
  const receipts = receiptsOf()
  expect(await it.channel.send(told(aNotice()), receipts)).toMatchObject({ kind: 'never' })
  // Others are told in between, as when a person has what was set aside tried again.
  isDown = false
  expect(await it.channel.send({ ...told(aNotice()), id: 'delivery-2' })).toEqual({ kind: 'sent' })
  expect(await it.channel.send(told(aNotice()), receipts)).toEqual({ kind: 'sent' })
  const chats = it.calls('sendMessage').filter(({ text }) => text.includes('(delivery-1)'))
  expect(chats.map(({ chat_id }) => chat_id)).toEqual(['12345', '-100', '-100'])
})

test('a chat that refuses the message holds up no other', async () => {
  const it = await startTelegram([], ({ body }) =>
    body.includes('"12345"') ? { ok: false, error_code: 400, description: 'chat not found' } : null,
  )
  const receipts = receiptsOf()
  expect(await it.channel.send(told(aNotice()), receipts)).toMatchObject({ kind: 'never' })
  expect([...receipts.taken]).toEqual(['-100'])
})

test('each chat is noted as soon as it has the message, before the next one is told', async () => {
  const it = await startTelegram()
  const order: string[] = []
  const outcome = await it.channel.send(told(aNotice()), {
    taken: new Set(),
    take: async (chat) => void order.push(`${chat} after ${it.calls('sendMessage').length}`),
  })
  expect([outcome.kind, order]).toEqual(['sent', ['12345 after 1', '-100 after 2']])
})

test('buttons and commands of allowed chats are heard once, and answered', async () => {
  const it = await startTelegram([
    {
      update_id: 7,
      callback_query: { id: 'q1', from: { id: 5 }, data: 'the-ticket', message: { chat: { id: 12345 } } },
    },
    { update_id: 8, message: { chat: { id: -100 }, from: { id: 6 }, text: '/tasks@my_bot' } },
    { update_id: 9, message: { chat: { id: -100 }, from: { id: 6 }, text: 'just talking' } },
  ])
  const { heard } = listening(it.channel)
  await waitFor('an answer', () => it.calls('sendMessage').length === 1)
  await waitFor('the next question', () => it.calls('getUpdates').some(({ offset }) => offset === 10))
  expect(heard).toEqual([
    { user: '5', key: '7', what: { kind: 'button', ticket: 'the-ticket' } },
    { user: '6', key: '8', what: { kind: 'command', text: '/tasks@my_bot' } },
  ])
  expect(it.calls('answerCallbackQuery')).toEqual([
    { callback_query_id: 'q1', text: 'done', show_alert: false },
  ])
})

test('a command behind a hundred long messages is heard', async () => {
  const talk = (update_id: number) => ({
    update_id,
    message: { chat: { id: -100 }, from: { id: 6 }, text: 'x'.repeat(4000) },
  })
  const command = { update_id: 100, message: { chat: { id: -100 }, from: { id: 6 }, text: '/tasks' } }
  const it = await startTelegram([...Array.from({ length: 100 }, (_, at) => talk(at)), command])
  const { heard } = listening(it.channel)
  await waitFor('the command', () => heard.length > 0)
  expect(heard).toEqual([{ user: '6', key: '100', what: { kind: 'command', text: '/tasks' } }])
})

test('after an answer that has no updates in it Telegram is asked again only after a pause', async () => {
  const pauses: number[] = []
  let goOn = () => {}
  const it = await startTelegram(
    [],
    () => null,
    (ms) => {
      pauses.push(ms)
      return new Promise((resolve) => (goOn = resolve))
    },
  )
  it.hands.updates = '{"ok":true,"result":'
  listening(it.channel)
  await waitFor('the pause', () => pauses.length === 1)
  expect([pauses, it.calls('getUpdates').length]).toEqual([[5000], 1])
  it.hands.updates = undefined
  goOn()
  await waitFor('the next question', () => it.calls('getUpdates').length > 1)
})

test('whoever is in no allowed chat is neither heard nor answered', async () => {
  const it = await startTelegram([
    { update_id: 1, message: { chat: { id: 666 }, from: { id: 12345 }, text: '/tasks' } },
    {
      update_id: 2,
      callback_query: { id: 'q', from: { id: 12345 }, data: 't', message: { chat: { id: 666 } } },
    },
  ])
  const { heard } = listening(it.channel)
  await waitFor('both to be read', () => it.calls('getUpdates').some(({ offset }) => offset === 3))
  expect([heard, it.calls('sendMessage'), it.calls('answerCallbackQuery')]).toEqual([[], [], []])
})

test('a button that came too late says so loudly', async () => {
  const it = await startTelegram([
    {
      update_id: 1,
      callback_query: { id: 'q', from: { id: 5 }, data: 't', message: { chat: { id: 12345 } } },
    },
  ])
  listening(it.channel, 'Too late: the question is over.')
  await waitFor('the answer', () => it.calls('answerCallbackQuery').length === 1)
  expect(it.calls('answerCallbackQuery')).toMatchObject([{ show_alert: true }])
})

test('an error never shows the token', async () => {
  const it = await startTelegram()
  await it.close()
  const outcome = await it.channel.send(told(aNotice()))
  expect(outcome.kind).toBe('later')
  expect(JSON.stringify(outcome)).not.toContain('abc')
})

test('listening ends when it is told to', async () => {
  const it = await startTelegram()
  const { end } = listening(it.channel)
  await waitFor('it to ask', () => it.calls('getUpdates').length > 0)
  await expect(end()).resolves.toBeUndefined()
})
