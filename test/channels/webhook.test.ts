import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { post } from '../../src/channels/http.ts'
import { aNotice, aQuestionNotice, HOSTILE, openChannel, told } from './channel-world.ts'
import { startReceiver } from './http-receiver.ts'

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0'
const open = (url: string) => openChannel({ type: 'webhook', url, secret: { env: 'S' } }, { S: SECRET })

/** As docs/notifications.md shows it to receivers. */
function signatureOf(id: string, seconds: string, body: string): string {
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
}

test('a webhook is signed, with its id and its time, and carries all notices as JSON', async () => {
  const receiver = await startReceiver()
  expect(await open(receiver.url).send(told(aNotice({ text: HOSTILE }), aQuestionNotice()))).toEqual({
    kind: 'sent',
  })
  const [{ headers, body }] = receiver.got as [(typeof receiver.got)[number]]
  expect(headers['webhook-id']).toBe('delivery-1')
  const seconds = String(headers['webhook-timestamp'])
  expect(Math.abs(Number(seconds) - Date.now() / 1000)).toBeLessThan(60)
  expect(headers['webhook-signature']).toBe(signatureOf('delivery-1', seconds, body))
  expect(JSON.parse(body)).toMatchObject({
    id: 'delivery-1',
    notices: [
      { kind: 'completion', text: HOSTILE, at: '2026-11-17T12:00:00Z', question: null },
      { kind: 'question', question: { number: 1, options: ['yes', 'no'] } },
    ],
  })
  expect(body).not.toContain('ticket')
})

test.each([
  [500, 'later'],
  [503, 'later'],
  [429, 'later'],
  [408, 'later'],
  [400, 'never'],
  [401, 'never'],
  [404, 'never'],
  [410, 'never'],
  [301, 'never'],
])('an answer of %i means %s', async (status, kind) => {
  const receiver = await startReceiver(() => ({
    status,
    body: 'no',
    headers: { location: 'http://127.0.0.1:1/' },
  }))
  expect(await open(receiver.url).send(told(aNotice()))).toMatchObject({
    kind,
    why: `it answered ${status}: no`,
  })
  expect(receiver.got).toHaveLength(1)
})

test.each([
  ['90', 90_000],
  ['Wed, 18 Nov 2026 15:01:30 GMT', 90_000],
  ['Wed, 18 Nov 2026 14:00:00 GMT', undefined],
  ['soon', undefined],
])('Retry-After: %s is so long, by the clock of the receiver', async (given, afterMs) => {
  const headers = { 'retry-after': given, date: 'Wed, 18 Nov 2026 15:00:00 GMT' }
  const receiver = await startReceiver(() => ({ status: 429, headers }))
  const outcome = await open(receiver.url).send(told(aNotice()))
  expect(outcome).toEqual({ kind: 'later', why: 'it answered 429: {}', ...(afterMs && { afterMs }) })
})

test('an answer that never ends is read only so far', async () => {
  const server = createServer((_, response) => {
    const part = Buffer.alloc(256 * 1024, 'x')
    const pour = () => {
      while (response.write(part));
    }
    response.writeHead(404).on('drain', pour)
    pour()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  expect(await open(`http://127.0.0.1:${port}`).send(told(aNotice()))).toMatchObject({
    kind: 'never',
    why: expect.stringContaining('it answered 404: xxx'),
  })
})

test('nobody there, or a secret that is missing, is for later, and says why', async () => {
  const receiver = await startReceiver()
  await receiver.close()
  expect(await open(receiver.url).send(told(aNotice()))).toMatchObject({
    kind: 'later',
    why: expect.stringContaining('ECONNREFUSED'),
  })
  const bare = openChannel({ type: 'webhook', url: receiver.url, secret: { env: 'GONE' } })
  expect(await bare.send(told(aNotice()))).toMatchObject({ kind: 'later' })
  expect(await bare.problem()).toContain('no secret')
})

test('a command gets the same JSON on stdin; what it ends with decides', async () => {
  const inputs: [readonly string[], string][] = []
  let code = 0
  const run = async (argv: readonly string[], input: string) => {
    inputs.push([argv, input])
    return { code, stderr: 'no such user\nmore', timedOut: false }
  }
  const channel = openChannel({ type: 'command', argv: ['notify-send', '--', '$(x)'] }, {}, { run })
  expect(await channel.send(told(aNotice()))).toEqual({ kind: 'sent' })
  expect(inputs[0]?.[0]).toEqual(['notify-send', '--', '$(x)'])
  expect(JSON.parse(inputs[0]?.[1] ?? '')).toMatchObject({ id: 'delivery-1' })
  code = 3
  expect(await channel.send(told(aNotice()))).toEqual({ kind: 'later', why: 'it ended with 3: no such user' })
  code = 127
  expect(await channel.send(told(aNotice()))).toMatchObject({ kind: 'never' })
})

test('a bell rings once for each session that is told of', async () => {
  const rung: (readonly string[])[] = []
  const channel = openChannel({ type: 'bell' }, {}, { ring: async (ids) => void rung.push(ids) })
  await channel.send(told(aNotice(), aNotice(), aNotice({ sessionId: null }), aNotice({ sessionId: 'b' })))
  expect(rung).toEqual([['20251118-153042-fix-login', 'b']])
})

test('an address that is no URL is not shown: it may be a secret', async () => {
  const channel = openChannel(
    { type: 'slack', url: { env: 'URL' } },
    { URL: 'hooks.slack.example/services/T0/B0/shhh' },
  )
  expect(await channel.send(told(aNotice()))).toEqual({ kind: 'later', why: 'its address is not a URL' })
})

test('a receiver that does not answer is said not to, and how long it was waited for', async () => {
  const receiver = await startReceiver(() => new Promise(() => {}))
  await expect(post(receiver.url, '{}', {}, { patienceMs: 50 })).rejects.toThrow(
    'it did not answer within 0.05 s',
  )
})
