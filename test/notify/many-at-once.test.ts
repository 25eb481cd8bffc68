// Much to tell at once: every channel gets it in messages that its service takes, and nothing is left out.
import { expect, test } from 'vitest'
import { ROOMS } from '../../src/channels/rooms.ts'
import { asNodeId, asRunId, asTaskId } from '../../src/domain/names/ids.ts'
import { NOTICE_KINDS, type Notice, type NoticeKind } from '../../src/domain/notify/notice.ts'
import { composeMessage, partsOf, type TellingNeeds } from '../../src/notify/compose-message.ts'
import type { ChannelMessage } from '../../src/ports/channel.ts'
import { NOON } from '../builders/ids.ts'
import { aQuestion } from '../builders/question.ts'
import { openChannel } from '../channels/channel-world.ts'
import { startReceiver } from '../channels/http-receiver.ts'

const SERVICES = ['slack', 'lark', 'telegram', 'ntfy'] as const
type Service = (typeof SERVICES)[number]

const needs = {
  desk: {
    notices: { question: async (_: string, number: number) => aQuestion({ number, runId: asRunId('r') }) },
  },
  tickets: { sign: (id: string, option: number) => `${id}.${option}.${'x'.repeat(22)}` },
} as unknown as TellingNeeds

function notice(n: number, kind: NoticeKind, words: string, options: readonly string[] = []): Notice {
  const isAsked = options.length > 0
  const id = `20251118-153042-task-${n}`
  return {
    id: `n${String(n).padStart(19, '0')}`,
    channel: 'team',
    nodeId: asNodeId('node-a'),
    kind,
    taskId: asTaskId(id),
    question: isAsked ? n : null,
    runId: isAsked ? asRunId('r') : null,
    title: [...`task-${n} ${kind}: ${words}`].slice(0, 140).join(''),
    text: [
      words,
      ...options.map((option, place) => `${place + 1}. ${option}`),
      `Session: ${id}`,
      ...(isAsked ? [`Answer: holdfast answer ${id} <choice>`] : []),
    ].join('\n'),
    options,
    at: NOON + n,
    deliveryId: null,
    dropped: null,
  }
}

const long = (letter: string) => letter.repeat(1500)
const OPTIONS = Array.from({ length: 8 }, (_, n) => `option ${n} ${'o'.repeat(190)}`)
const NIGHTS: Record<string, readonly Notice[]> = {
  'nine long questions': Array.from({ length: 9 }, (_, n) => notice(n, 'question', long('w'), OPTIONS)),
  'questions in Chinese': Array.from({ length: 9 }, (_, n) =>
    notice(n, 'question', long('问'), ['是', '不是', '以后再说']),
  ),
  'a hundred short ends, and the last one failed': Array.from({ length: 100 }, (_, n) =>
    notice(n, n === 99 ? 'failure' : 'completion', 'done'),
  ),
  'a hundred of every kind, long': Array.from({ length: 100 }, (_, n) => {
    const kind = NOTICE_KINDS[n % NOTICE_KINDS.length]!
    return notice(n, kind, long('😀'), kind === 'question' ? ['yes', 'no'] : [])
  }),
}

/** Every part is sent to a real receiver; what came there. */
async function sentBy(
  service: Service,
  notices: readonly Notice[],
): Promise<{ bodies: string[]; told: ChannelMessage[] }> {
  const receiver = await startReceiver(() => ({ body: { code: 0, ok: true } }))
  const settings = {
    slack: { url: { env: 'URL' }, signingSecret: { env: 'URL' }, users: ['U1'] },
    lark: { url: { env: 'URL' }, secret: { env: 'URL' } },
    telegram: { server: receiver.url, token: { env: 'TOKEN' }, chats: [1] },
    ntfy: { server: receiver.url, topic: 'a-topic-of-the-test' },
  }[service]
  const channel = openChannel(
    { type: service, ...settings },
    { URL: receiver.url, TOKEN: '1:a' },
    { publicUrl: receiver.url },
  )
  const told: ChannelMessage[] = []
  for (const [place, part] of partsOf(notices, channel).entries()) {
    const one = await composeMessage({ id: `delivery-${place}`, notices: part }, channel, needs)
    told.push(one)
    expect(await channel.send(one)).toEqual({ kind: 'sent' })
  }
  return { bodies: receiver.got.map(({ body }) => body), told }
}

const lengths = (value: unknown): number =>
  typeof value === 'string'
    ? value.length
    : typeof value === 'object' && value !== null
      ? Object.entries(value).reduce(
          (sum, [key, one]) =>
            sum +
            (/^(text|content|elements|blocks)$/.test(key) || !Number.isNaN(Number(key)) ? lengths(one) : 0),
          0,
        )
      : 0

/** What each service says that it takes. */
const isTaken: Record<Service, (body: string) => void> = {
  slack(body) {
    const { blocks } = JSON.parse(body)
    expect(blocks.length).toBeLessThanOrEqual(50)
    expect(lengths(blocks)).toBeLessThanOrEqual(12_000)
    for (const { type, text } of blocks)
      if (type === 'section') expect(text.text.length).toBeLessThanOrEqual(3000)
  },
  lark(body) {
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(20 * 1024)
  },
  telegram(body) {
    const { text, reply_markup } = JSON.parse(body)
    expect(text.length).toBeLessThanOrEqual(4096)
    expect(reply_markup.inline_keyboard.length).toBeLessThanOrEqual(100)
  },
  ntfy(body) {
    expect(Buffer.byteLength(JSON.parse(body).message)).toBeLessThanOrEqual(4096)
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(8192)
  },
}

const all = SERVICES.flatMap((service) => Object.keys(NIGHTS).map((night) => [service, night] as const))

test.each(all)('%s: %s', async (service, night) => {
  const notices = NIGHTS[night]!
  const { bodies, told } = await sentBy(service, notices)
  for (const body of bodies) isTaken[service](body)
  const text = bodies.join('\n')
  for (const { taskId } of notices) expect(text).toContain(taskId)
  // Each once, the most urgent first, and each with an id of its own.
  const order = told.flatMap((one) => one.notices)
  expect(order.map(({ id }) => id).sort()).toEqual(notices.map(({ id }) => id).sort())
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length)
  const urgent = ['question', 'escalation', 'failure', 'stuck', 'limit', 'completion', 'progress']
  const places = order.map(({ kind }) => urgent.indexOf(kind))
  expect(places).toEqual([...places].sort((one, other) => one - other))
  // Every question can be read and answered.
  for (const asked of order.filter(({ question }) => question !== null)) {
    expect(asked.isBrief).toBe(false)
    expect(asked.text).toContain(`Answer: holdfast answer ${asked.sessionId} <choice>`)
    for (const option of asked.question!.options) expect(asked.text).toContain(option)
  }
  expect(bodies.length).toBeLessThanOrEqual(notices.length === 9 ? 9 : 30)
})

test('a hundred ends are a few messages, and what failed is named first', async () => {
  const { bodies, told } = await sentBy('telegram', NIGHTS['a hundred short ends, and the last one failed']!)
  expect(bodies.length).toBeLessThanOrEqual(4)
  expect(told[0]!.title).toMatch(/^task-99 failure: done · and \d+ completed$/)
  expect(ROOMS.telegram.notices).toBe(40)
})
