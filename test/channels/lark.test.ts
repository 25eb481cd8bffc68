import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { waitFor } from '../helpers/wait-for.ts'
import { aNotice, aQuestionNotice, HOSTILE, openChannel, told } from './channel-world.ts'
import { startReceiver } from './http-receiver.ts'
import { button, encrypted, header, KEY, message, signed, TOKEN } from './lark-requests.ts'

async function openBot(answer: object = { code: 0 }, status = 200) {
  const receiver = await startReceiver(() => ({ status, body: answer }))
  const channel = openChannel(
    { type: 'lark', url: { env: 'URL' }, secret: { env: 'SECRET' } },
    { URL: `${receiver.url}/hook`, SECRET: 'shh' },
  )
  return { ...receiver, channel }
}

type AppAnswers = { login?: object; reply?: object }

async function openApp(
  until: () => Promise<void> = async () => {},
  { login = { code: 0, tenant_access_token: 't-1' }, reply = { code: 0, data: {} } }: AppAnswers = {},
) {
  const warnings: unknown[] = []
  const receiver = await startReceiver(async ({ path }) => {
    await until()
    return { body: path.includes('tenant_access_token') ? login : reply }
  })
  const channel = openChannel(
    {
      type: 'lark',
      appId: 'cli_1',
      appSecret: { env: 'APP' },
      chat: 'oc_1',
      server: receiver.url,
      verificationToken: { env: 'TOKEN' },
      encryptKey: { env: 'KEY' },
      users: ['ou_1'],
    },
    { APP: 'app-secret', TOKEN, KEY },
    { log: { warn: (_, about) => void warnings.push(about) } },
  )
  return { ...receiver, channel, warnings }
}

test('a custom bot is told by a signed card, in plain text', async () => {
  const it = await openBot()
  expect(await it.channel.send(told(aNotice({ title: HOSTILE, text: HOSTILE })))).toEqual({ kind: 'sent' })
  const { timestamp, sign, msg_type, card } = JSON.parse(it.got[0]?.body ?? '')
  expect(sign).toBe(createHmac('sha256', `${timestamp}\nshh`).update('').digest('base64'))
  expect(msg_type).toBe('interactive')
  expect(JSON.stringify(card)).not.toMatch(/lark_md|"tag":"markdown"|"tag":"text"/)
  expect(JSON.stringify(card)).toContain('id delivery-1')
})

test.each([
  [200, { code: 19021, msg: 'sign match fail' }, 'never'],
  [200, { code: 11232, msg: 'frequency limited' }, 'later'],
  [400, { code: 9499, msg: 'too many requests' }, 'later'],
  [400, { code: 230020, msg: 'this operation triggers the frequency limit' }, 'later'],
  [400, { code: 99991400, msg: 'request trigger frequency limit' }, 'later'],
  [400, { code: 99991672, msg: 'access denied' }, 'never'],
  [500, { code: 1, msg: 'internal error' }, 'later'],
])('Lark refuses by a code in an answer of %d: %o', async (status, answer, kind) => {
  const it = await openBot(answer, status)
  expect(await it.channel.send(told(aNotice()))).toMatchObject({
    kind,
    why: expect.stringContaining(answer.msg),
  })
})

test.each([
  [{ code: 9499, msg: 'too many requests' }, 'later', 'it answered 9499: too many requests'],
  [{ code: 10014, msg: 'app secret invalid' }, 'never', 'it answered 10014: app secret invalid'],
  [{ code: 0 }, 'never', 'it answered 401: {"code":0}'],
])('the code of a login that Lark refuses says whether it may work later: %o', async (login, kind, why) => {
  const it = await openApp(undefined, { login })
  expect(await it.channel.send(told(aNotice()))).toEqual({ kind, why })
  expect(it.got).toHaveLength(1)
})

test('an app writes to its chat, with buttons and an id that Lark takes once', async () => {
  const it = await openApp()
  const notice = aQuestionNotice()
  expect(await it.channel.send(told(notice))).toEqual({ kind: 'sent' })
  expect(JSON.parse(it.got[0]?.body ?? '')).toEqual({ app_id: 'cli_1', app_secret: 'app-secret' })
  expect(it.got[1]).toMatchObject({
    path: '/open-apis/im/v1/messages?receive_id_type=chat_id',
    headers: { authorization: 'Bearer t-1' },
  })
  const sent = JSON.parse(it.got[1]?.body ?? '')
  expect(sent).toMatchObject({ receive_id: 'oc_1', uuid: 'delivery-1' })
  expect(sent.content).toContain(notice.buttons[1]?.ticket)
})

test('Lark’s check of the address is answered with its challenge', async () => {
  const it = await openApp()
  const body = encrypted({ type: 'url_verification', challenge: 'c-1', token: TOKEN })
  expect(await it.channel.receive!({ body, headers: {} })).toEqual({
    kind: 'reply',
    reply: { status: 200, type: 'application/json', body: '{"challenge":"c-1"}' },
  })
})

test('a command to the bot is said by its writer, and the reply goes to that message', async () => {
  const it = await openApp()
  const received = await it.channel.receive!(signed(encrypted(message('@_user_1 /task status last'))))
  if (received.kind !== 'said') throw new Error('nothing was said')
  expect(received).toMatchObject({
    isAllowed: true,
    said: { user: 'ou_1', key: 'e1', what: { kind: 'command', text: '/task status last' } },
  })
  await received.answer({ done: true, words: '<at user_id="all"></at>' })
  await waitFor('the reply', () => it.got.length === 2)
  expect(it.got.at(-1)?.path).toBe('/open-apis/im/v1/messages/om_1/reply')
  expect(JSON.parse(it.got.at(-1)?.body ?? '').content).toContain('plain_text')
})

test('Lark is answered at once, also while its reply to the message cannot be sent', async () => {
  let goOn = () => {}
  const isFree = new Promise<void>((resolve) => (goOn = resolve))
  const it = await openApp(() => isFree)
  const received = await it.channel.receive!(signed(encrypted(message('/tasks'))))
  if (received.kind !== 'said') throw new Error('nothing was said')
  expect(await received.answer({ done: true, words: 'none' })).toMatchObject({ status: 200, body: '{}' })
  goOn()
  await waitFor('the reply', () => it.got.length === 2)
})

test('a reply that Lark does not take is logged', async () => {
  const it = await openApp(undefined, { reply: { code: 230002, msg: 'bot not in chat' } })
  const received = await it.channel.receive!(signed(encrypted(message('/tasks'))))
  if (received.kind !== 'said') throw new Error('nothing was said')
  await received.answer({ done: true, words: 'none' })
  await waitFor('the log', () => it.warnings.length === 1)
  expect(it.warnings).toEqual([{ error: 'it answered 230002: bot not in chat' }])
})

test('a button of a card is answered by a toast', async () => {
  const it = await openApp()
  const received = await it.channel.receive!(signed(encrypted(button('the-ticket', 'ou_2'))))
  if (received.kind !== 'said') throw new Error('nothing was said')
  expect(received).toMatchObject({
    isAllowed: false,
    said: { what: { kind: 'button', ticket: 'the-ticket' } },
  })
  expect(JSON.parse((await received.answer({ done: false, words: 'no' })).body)).toEqual({
    toast: { type: 'error', content: 'no' },
  })
})

test('what is not encrypted, signed and fresh, or has another token, is refused', async () => {
  const it = await openApp()
  const body = encrypted(message('/tasks'))
  const wrongToken = { ...message('/tasks'), header: { ...header('im.message.receive_v1'), token: 'x' } }
  const bad = [
    signed(JSON.stringify(message('/tasks'))),
    { body, headers: {} },
    signed(body, Date.now() - 6 * 60_000),
    signed(body, Date.now(), 'another key'),
    signed(encrypted(wrongToken)),
    signed('{"encrypt":"AAAA"}'),
    signed('nothing'),
  ]
  for (const request of bad)
    await expect(it.channel.receive!(request)).rejects.toMatchObject({ code: 'INBOUND_REFUSED' })
})

const appWith = (check: object) =>
  openChannel(
    { type: 'lark', appId: 'cli_1', appSecret: { env: 'APP' }, chat: 'oc_1', users: ['ou_1'], ...check },
    { APP: 'app-secret', TOKEN, KEY },
  )
const said = {
  kind: 'said',
  isAllowed: true,
  said: { user: 'ou_1', what: { kind: 'command', text: '/tasks' } },
}

test('with an encrypt key alone, as the docs show it, what is encrypted and signed is heard, whatever its token', async () => {
  const channel = appWith({ encryptKey: { env: 'KEY' } })
  expect(await channel.receive!(signed(encrypted(message('/tasks'))))).toMatchObject(said)
  const other = { ...message('/tasks'), header: { ...header('im.message.receive_v1'), token: 'x' } }
  expect(await channel.receive!(signed(encrypted(other)))).toMatchObject(said)
  const bad = [
    signed(JSON.stringify(message('/tasks'))),
    { body: encrypted(message('/tasks')), headers: {} },
    signed(encrypted(message('/tasks')), Date.now(), 'another key'),
  ]
  for (const request of bad)
    await expect(channel.receive!(request)).rejects.toMatchObject({ code: 'INBOUND_REFUSED' })
})

test('with a verification token alone, what carries it is heard, and nothing else', async () => {
  const channel = appWith({ verificationToken: { env: 'TOKEN' } })
  const plain = (event: object) => ({ body: JSON.stringify(event), headers: {} })
  expect(await channel.receive!(plain(message('/tasks')))).toMatchObject(said)
  const without = { ...message('/tasks'), header: { event_type: 'im.message.receive_v1' } }
  const other = { ...message('/tasks'), header: { ...header('im.message.receive_v1'), token: 'x' } }
  for (const event of [without, other])
    await expect(channel.receive!(plain(event))).rejects.toMatchObject({ code: 'INBOUND_REFUSED' })
})

test('a card that is too big for Lark may be told in parts', async () => {
  const it = await openBot({ code: 11246, msg: 'message content exceeds the size limit' })
  expect(await it.channel.send(told(aNotice()))).toMatchObject({ kind: 'too_big' })
})
