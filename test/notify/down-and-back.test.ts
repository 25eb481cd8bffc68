// Real receivers that are away for an hour: a webhook's and a mail server, at their own ports, in time that a test makes pass.
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import type { Channel } from '../../src/ports/channel.ts'
import { openChannel } from '../channels/channel-world.ts'
import { startReceiver } from '../channels/http-receiver.ts'
import { settled } from '../helpers/settled.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startNotify } from './notify-world.ts'

const MINUTE_MS = 60_000

/** What a receiver took: the id of each delivery, and the sessions it told of. */
type Taken = { readonly id: string; readonly sessions: readonly string[] }
type Receiver = {
  readonly channel: Channel
  readonly taken: Taken[]
  /** It refuses what comes, or connections. */
  goesAway(): Promise<void>
  comesBack(): Promise<void>
}

const sessionsIn = (text: string) => [...text.matchAll(/Session: (\S+)/g)].map(([, id = '']) => id)

async function webhook(): Promise<Receiver> {
  const taken: Taken[] = []
  let status = 200
  const receiver = await startReceiver(({ headers, body }) => {
    if (status === 200)
      taken.push({
        id: String(headers['webhook-id']),
        sessions: sessionsIn(
          JSON.parse(body)
            .notices.map(({ text }: { text: string }) => text)
            .join('\n'),
        ),
      })
    return { status }
  })
  const channel = openChannel(
    { type: 'webhook', url: receiver.url, secret: { env: 'SECRET' } },
    { SECRET: 'a secret of the test' },
  )
  return {
    channel: { ...channel, name: 'phone' } as Channel,
    taken,
    async goesAway() {
      status = 503
    },
    async comesBack() {
      status = 200
    },
  }
}

async function mailbox(): Promise<Receiver & { readonly texts: string[] }> {
  const taken: Taken[] = []
  const texts: string[] = []
  const listenAt = async (port: number) => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, _session, done) {
        let text = ''
        stream.on('data', (part) => (text += part))
        stream.on('end', () => {
          // Long lines are folded with `=` at their ends.
          const plain = text.replaceAll('=\r\n', '')
          texts.push(plain)
          taken.push({ id: /^x-holdfast-id: (.*?)\r?$/im.exec(text)?.[1] ?? '', sessions: sessionsIn(plain) })
          done()
        })
      },
    })
    server.on('error', () => {})
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
    return server
  }
  let server: SMTPServer | undefined = await listenAt(0)
  const { port } = server.server.address() as AddressInfo
  const close = async () => {
    const open = server
    server = undefined
    if (open !== undefined) await new Promise<void>((resolve) => open.close(() => resolve()))
  }
  onTestFinished(close)
  const channel = openChannel({
    type: 'email',
    server: `smtp://127.0.0.1:${port}`,
    from: 'holdfast@example.org',
    to: ['ada@example.org'],
  })
  return {
    channel: { ...channel, name: 'phone' } as Channel,
    taken,
    texts,
    goesAway: close,
    async comesBack() {
      server = await listenAt(port)
    },
  }
}

test.each([
  ['a webhook', webhook],
  ['a mail server', mailbox],
] as const)(
  '%s that is away for an hour, in which the daemon is killed: all is told once it is back, once, in two messages',
  async (_, open) => {
    const receiver = await open()
    let tries = 0
    let underWay = 0
    const send: Channel['send'] = async (told, receipts) => {
      tries++
      underWay++
      return receiver.channel.send(told, receipts).finally(() => underWay--)
    }
    const it = await startNotify({ channel: { ...receiver.channel, send } }, { maxConcurrent: 50 })
    /** The network is real: it is waited for, and no time passes meanwhile. */
    const pass = async (minutes: number) => {
      for (let n = 0; n < minutes; n++) {
        await it.clock.pass(MINUTE_MS)
        await waitFor('the try to be over', () => underWay === 0)
        await settled()
      }
    }
    await receiver.goesAway()
    const ids: string[] = []
    for (let n = 0; n < 6; n++) {
      const { id } = await it.agent(`task-${n}`)
      await it.finishes(id)
      ids.push(id)
      await pass(10)
      if (n % 2 === 1) await it.senderStarts()
    }
    expect(receiver.taken).toEqual([])
    expect(tries).toBeLessThan(20)
    await receiver.comesBack()
    await pass(30)
    expect(receiver.taken.map(({ sessions }) => sessions.length)).toEqual([1, 5])
    expect(receiver.taken.flatMap(({ sessions }) => sessions)).toEqual(ids)
    expect(new Set(receiver.taken.map(({ id }) => id)).size).toBe(2)
    expect((await it.log()).every(({ delivery }) => delivery?.state === 'sent')).toBe(true)
  },
)

/** A service that is told over HTTP, and what it took: the bodies of requests. */
async function service(type: string, settingsAt: (url: string) => object) {
  const taken: string[] = []
  let isAway = true
  const receiver = await startReceiver(({ body }) => {
    if (isAway) return { status: 503 }
    taken.push(body)
    return { body: { code: 0, ok: true } }
  })
  const channel = openChannel(
    { type, ...settingsAt(receiver.url) },
    { URL: receiver.url, SECRET: '1:secret' },
  )
  return {
    channel: { ...channel, name: type } as Channel,
    texts: () => taken,
    comesBack: async () => {
      isAway = false
    },
  }
}

const url = { env: 'URL' }
const secret = { env: 'SECRET' }

test('every channel is away for an hour in which 24 sessions complete and the last one fails: each is named once, the failure first', async () => {
  const post = await mailbox()
  const services = [
    await service('webhook', (at) => ({ url: at, secret })),
    await service('slack', () => ({ url })),
    await service('lark', () => ({ url, secret })),
    await service('ntfy', (server) => ({ server, topic: 'a-topic-of-the-test' })),
    await service('telegram', (server) => ({ server, token: secret, chats: [1] })),
    {
      channel: { ...post.channel, name: 'email' } as Channel,
      texts: () => post.texts,
      comesBack: post.comesBack,
    },
  ]
  await post.goesAway()
  let underWay = 0
  const channels = services.map(({ channel }) => ({
    ...channel,
    send: (...[told, receipts]: Parameters<Channel['send']>) => {
      underWay++
      return channel.send(told, receipts).finally(() => underWay--)
    },
  }))
  const it = await startNotify({ channels }, { maxConcurrent: 50, retries: 0 })
  const pass = async (minutes: number) => {
    for (let n = 0; n < minutes; n++) {
      await it.clock.pass(MINUTE_MS)
      await waitFor('the tries to be over', () => underWay === 0)
      await settled()
    }
  }
  const ids: string[] = []
  for (let n = 0; n < 25; n++) {
    const { id } = await it.agent(n === 24 ? 'deploy' : `task-${n}`)
    if (n === 24) await it.fails(id, 'prod deploy broke')
    else await it.finishes(id)
    ids.push(id)
    if (n % 8 === 0) await pass(1)
  }
  await pass(20)
  await it.senderStarts()
  for (const one of services) await one.comesBack()
  await pass(25)
  for (const { channel, texts } of services) {
    const named = (id: string) => texts().filter((text) => new RegExp(`${id}(?![\\w-])`).test(text)).length
    expect([channel.type, ids.filter((id) => named(id) !== 1)]).toEqual([channel.type, []])
    // What was bound first, and then all the rest.
    expect(texts().length).toBeLessThanOrEqual(5)
    const [, second = ''] = texts()
    const place = (what: string) => second.indexOf(what)
    expect([channel.type, place('prod deploy broke') > -1]).toEqual([channel.type, true])
    expect(place('prod deploy broke')).toBeLessThan(place('task-2'))
  }
  const log = await it.desk.notices.log({ most: 500 })
  expect(log).toHaveLength(25 * services.length)
  expect(log.every(({ delivery }) => delivery?.state === 'sent')).toBe(true)
})
