import { expect, test } from 'vitest'
import { aNotice, aQuestionNotice, HOSTILE, openChannel, told } from './channel-world.ts'
import { startReceiver } from './http-receiver.ts'

async function open(publicUrl: string | null = 'https://holdfast.example.org') {
  const receiver = await startReceiver()
  const channel = openChannel(
    { type: 'ntfy', server: receiver.url, topic: { env: 'TOPIC' }, token: { env: 'TOKEN' } },
    { TOPIC: 'my-topic', TOKEN: 'tk_1' },
    { publicUrl },
  )
  return { ...receiver, channel }
}

test('a question comes with a button for each option, which posts its ticket to our address', async () => {
  const it = await open()
  const notice = aQuestionNotice()
  expect(await it.channel.send(told(notice))).toEqual({ kind: 'sent' })
  expect(it.got[0]).toMatchObject({ path: '/', headers: { authorization: 'Bearer tk_1' } })
  expect(JSON.parse(it.got[0]?.body ?? '')).toMatchObject({
    topic: 'my-topic',
    sequence_id: 'delivery-1',
    title: 'fix-login asks: May I?',
    actions: notice.buttons.map(({ label, ticket }) => ({
      action: 'http',
      label,
      method: 'POST',
      url: 'https://holdfast.example.org/inbound/team',
      body: ticket,
      clear: true,
    })),
  })
})

test('without a public address nobody can answer', async () => {
  expect((await open(null)).channel.canAnswer).toBe(false)
})

test('with more options than ntfy has buttons, or two questions at once, there are none', async () => {
  const it = await open()
  const many = Array.from({ length: 4 }, (_, at) => ({ label: `${at}`, ticket: `t${at}` }))
  await it.channel.send(told(aQuestionNotice({ buttons: many })))
  await it.channel.send(told(aQuestionNotice(), aQuestionNotice()))
  expect(it.got.map(({ body }) => JSON.parse(body).actions)).toEqual([[], []])
})

test('what agents wrote is a value in JSON, and not Markdown', async () => {
  const it = await open()
  await it.channel.send(told(aNotice({ title: HOSTILE, text: HOSTILE })))
  const message = JSON.parse(it.got[0]?.body ?? '')
  expect(message).toMatchObject({ title: HOSTILE, message: HOSTILE })
  expect(message.markdown).toBeUndefined()
})

test.each([
  ['letters of two bytes', 'ä'],
  ['letters of four bytes', '🙂'],
  ['letters that JSON writes as two', '"'],
])('a long text is cut to what ntfy takes: %s', async (_, letter) => {
  const it = await open()
  const label = letter.repeat(60)
  const buttons = ['a', 'b', 'c'].map((ticket) => ({ label, ticket }))
  await it.channel.send(
    told(aQuestionNotice({ title: letter.repeat(200), text: letter.repeat(5000), buttons })),
  )
  const body = it.got[0]?.body ?? ''
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(8192)
  const { message, actions } = JSON.parse(body)
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4096)
  expect(Buffer.byteLength(message)).toBeGreaterThan(2000)
  expect(message.replaceAll(letter, '')).toBe('…')
  expect(actions).toHaveLength(3)
})

test('only a ticket can come in', async () => {
  const it = await open()
  const ticket = aQuestionNotice().buttons[0]?.ticket ?? ''
  const received = await it.channel.receive!({ headers: {}, body: `${ticket}\n` })
  if (received.kind !== 'said') throw new Error('nothing was said')
  expect(received.said.what).toEqual({ kind: 'button', ticket })
  expect(await received.answer({ done: false, words: 'Too late.' })).toMatchObject({ status: 409 })
  for (const body of ['', '/tasks', `${ticket} ${ticket}`, 'x'.repeat(100)])
    await expect(it.channel.receive!({ headers: {}, body })).rejects.toMatchObject({
      code: 'INBOUND_REFUSED',
    })
})

test.each([
  ['question', 4],
  ['escalation', 4],
  ['failure', 4],
  ['stuck', 4],
  ['limit', 3],
  ['completion', 3],
  ['progress', 2],
] as const)('%s has priority %i, also among what is less urgent', async (kind, priority) => {
  const it = await open()
  const asked = kind === 'question' ? { question: { number: 1, options: [] } } : {}
  await it.channel.send(told(aNotice({ kind: 'progress' }), aNotice({ kind, ...asked })))
  expect(JSON.parse(it.got[0]!.body).priority).toBe(priority)
})
