import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { aNotice, aQuestionNotice, HOSTILE, openChannel, told } from './channel-world.ts'
import { startReceiver } from './http-receiver.ts'

const SIGNING = '8f742231b10e8888abcd99yyyzzz85a5'

async function open() {
  const receiver = await startReceiver()
  const channel = openChannel(
    { type: 'slack', url: { env: 'URL' }, signingSecret: { env: 'SIGNING' }, users: ['U1'] },
    { URL: `${receiver.url}/services/T/B/x`, SIGNING },
  )
  return { ...receiver, channel }
}

function signed(body: string, at = Date.now(), secret = SIGNING) {
  const seconds = String(Math.floor(at / 1000))
  const hash = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex')
  return { body, headers: { 'x-slack-request-timestamp': seconds, 'x-slack-signature': `v0=${hash}` } }
}
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

test('a question has buttons; what agents wrote is plain text, and escaped where Slack would read it', async () => {
  const it = await open()
  const notice = aQuestionNotice({ title: HOSTILE, text: HOSTILE })
  expect(await it.channel.send(told(notice))).toEqual({ kind: 'sent' })
  const message = JSON.parse(it.got[0]?.body ?? '')
  expect(message.text).not.toMatch(/<|>/)
  expect(message.text).toContain('&lt;!channel&gt;')
  const texts = JSON.stringify(message.blocks).match(/"type":"(mrkdwn|plain_text)"/g)
  expect(new Set(texts)).toEqual(new Set(['"type":"plain_text"']))
  const actions = message.blocks.find(({ type }: { type: string }) => type === 'actions')
  expect(actions.elements.map(({ value }: { value: string }) => value)).toEqual(
    notice.buttons.map(({ ticket }) => ticket),
  )
  expect(JSON.stringify(message)).toContain('delivery-1')
})

test('without users nobody can answer, and there is no way in', async () => {
  const receiver = await startReceiver()
  const channel = openChannel({ type: 'slack', url: { env: 'URL' } }, { URL: receiver.url })
  expect([channel.canAnswer, channel.receive]).toEqual([false, undefined])
})

test('a button that was pressed brings back its ticket, and who pressed it', async () => {
  const it = await open()
  const payload = {
    type: 'block_actions',
    user: { id: 'U1' },
    actions: [{ value: 'the-ticket', action_ts: '1' }],
    response_url: `${it.url}/actions/reply`,
  }
  const received = await it.channel.receive!(signed(form({ payload: JSON.stringify(payload) })))
  if (received.kind !== 'said') throw new Error('nothing was said')
  expect(received).toMatchObject({
    isAllowed: true,
    said: { user: 'U1', what: { kind: 'button', ticket: 'the-ticket' } },
  })
  expect(await received.answer({ done: true, words: 'Answered <x>' })).toMatchObject({
    status: 200,
    body: '',
  })
  expect(it.got).toMatchObject([{ path: '/actions/reply' }])
  expect(JSON.parse(it.got[0]?.body ?? '')).toMatchObject({
    text: 'Answered &lt;x&gt;',
    replace_original: false,
  })
})

test('a reply that Slack does not take is logged', async () => {
  const receiver = await startReceiver(() => ({ status: 404, body: 'expired_url' }))
  const errors: unknown[] = []
  const channel = openChannel(
    { type: 'slack', url: { env: 'URL' }, signingSecret: { env: 'SIGNING' }, users: ['U1'] },
    { URL: `${receiver.url}/hook`, SIGNING },
    { log: { warn: (_, about) => void errors.push(about?.error) } },
  )
  const payload = {
    type: 'block_actions',
    user: { id: 'U1' },
    actions: [{ value: 't' }],
    response_url: `${receiver.url}/actions/reply`,
  }
  const received = await channel.receive!(signed(form({ payload: JSON.stringify(payload) })))
  if (received.kind !== 'said') throw new Error('nothing was said')
  await received.answer({ done: true, words: 'x' })
  expect(errors).toEqual(['Error: it answered 404: expired_url'])
})

test('the reply goes nowhere else than where our messages go', async () => {
  const [it, elsewhere] = [await open(), await startReceiver()]
  const payload = {
    type: 'block_actions',
    user: { id: 'U1' },
    actions: [{ value: 't' }],
    response_url: `${elsewhere.url}/`,
  }
  const received = await it.channel.receive!(signed(form({ payload: JSON.stringify(payload) })))
  if (received.kind === 'said') await received.answer({ done: true, words: 'x' })
  expect(elsewhere.got).toEqual([])
})

test('a slash command is answered at once, for those who may', async () => {
  const it = await open()
  const say = (user_id: string) =>
    it.channel.receive!(signed(form({ command: '/task', text: 'status last', user_id, trigger_id: 't1' })))
  expect(await say('U1')).toMatchObject({
    isAllowed: true,
    said: { key: 't1', what: { kind: 'command', text: '/task status last' } },
  })
  const other = await say('U2')
  expect(other).toMatchObject({ isAllowed: false })
  if (other.kind !== 'said') throw new Error('nothing was said')
  const reply = await other.answer({ done: false, words: 'no' })
  expect(JSON.parse(reply.body)).toMatchObject({ response_type: 'ephemeral', text: 'no' })
})

test('a request with a wrong signature, an old one, and one without are refused', async () => {
  const it = await open()
  const body = form({ command: '/tasks', user_id: 'U1' })
  const bad = [
    signed(body, Date.now(), 'another secret'),
    signed(body, Date.now() - 6 * 60_000),
    signed(body, Date.now() + 6 * 60_000),
    { ...signed(body), body: `${body}&x=1` },
    { body, headers: {} },
    { body, headers: { 'x-slack-request-timestamp': 'now', 'x-slack-signature': 'v0=' } },
    signed(form({ payload: '{' })),
  ]
  for (const request of bad)
    await expect(it.channel.receive!(request)).rejects.toMatchObject({ code: 'INBOUND_REFUSED' })
})

test('several notices are one message: those for which there is room in full, the others as lines of one block', async () => {
  const it = await open()
  const brief = (n: number) =>
    aNotice({ isBrief: true, title: `task-${n} completed`, sessionId: `id-${n}`, text: 'not shown' })
  await it.channel.send(told(aQuestionNotice(), ...Array.from({ length: 30 }, (_, n) => brief(n))))
  expect(it.got).toHaveLength(1)
  const { blocks } = JSON.parse(it.got[0]!.body)
  expect(blocks.map(({ type }: { type: string }) => type)).toEqual([
    'section',
    'actions',
    'section',
    'context',
  ])
  const lines = blocks[2].text.text.split('\n')
  expect(lines).toEqual(Array.from({ length: 30 }, (_, n) => `task-${n} completed (id-${n})`))
})

test.each([
  [400, 'invalid_blocks', 'too_big'],
  [400, 'msg_too_long', 'too_big'],
  [413, '', 'too_big'],
  [400, 'no_text', 'never'],
  [404, 'no_service', 'never'],
] as const)('a refusal by %i %s is %s', async (status, body, kind) => {
  const receiver = await startReceiver(() => ({ status, body }))
  const channel = openChannel({ type: 'slack', url: { env: 'URL' } }, { URL: receiver.url })
  expect(await channel.send(told(aNotice()))).toMatchObject({ kind })
})
