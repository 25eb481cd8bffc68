// A core in memory with everything that tells people, and a channel of the test's own.
import { appendFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { ROOMS } from '../../src/channels/rooms.ts'
import { HoldfastError } from '../../src/domain/errors.ts'
import type { TaskId } from '../../src/domain/names/ids.ts'
import { NOTICE_KINDS, type NoticeKind } from '../../src/domain/notify/notice.ts'
import type { NoticeRule } from '../../src/domain/notify/rules.ts'
import type { Config } from '../../src/domain/settings/config.ts'
import { openNotify } from '../../src/notify/notify.ts'
import { NoticeSender } from '../../src/notify/sender.ts'
import { noticesSubscription } from '../../src/notify/subscription.ts'
import type { Channel, ChannelMessage, Outcome, Receipts, Room } from '../../src/ports/channel.ts'
import { DurableSubscriber } from '../../src/supervisor/listening/durable-subscriber.ts'
import { openTickets } from '../../src/system/tokens/tickets.ts'
import { startWaking } from '../bridge/waking-world.ts'
import { settled } from '../helpers/settled.ts'

export const GROUP_MS = 3000

type More = {
  /** How much a message of `phone` takes. */
  room?: Room
  rules?: NoticeRule[]
  quietHours?: string
  kinds?: (project: string | null) => Promise<readonly NoticeKind[]>
  giveUpAfterMs?: number
  answerWithinMs?: number
  /** Instead of `phone`. */
  channel?: Channel
  /** Another one beside `phone`, of the same kind. */
  also?: string
  /** Instead of all these. */
  channels?: readonly Channel[]
}

export async function startNotify(more: More = {}, settings: Partial<Config> = {}) {
  // Hours pass here, in which nothing else happens.
  const world = await startWaking({ 'reconcile.interval': 30_000, ...settings })
  const { core, clock, desk, supervisor } = world
  const sent: ChannelMessage[] = []
  const hands = {
    /** What the receiver does with the next tries. */
    answers: (_told: ChannelMessage, _receipts: Receipts): Outcome | Promise<Outcome> => ({ kind: 'sent' }),
  }
  const memory = (name: string): Channel => ({
    name,
    type: 'memory',
    canAnswer: true,
    room: more.room ?? ROOMS.webhook,
    problem: async () => null,
    async send(told, receipts) {
      sent.push(told)
      return hands.answers(told, receipts)
    },
    async receive({ body }) {
      return {
        kind: 'said',
        said: { user: 'ada', key: body, what: { kind: 'button', ticket: body } },
        isAllowed: true,
        answer: async ({ done, words }) => ({ status: done ? 200 : 409, type: 'text/plain', body: words }),
      }
    },
  })
  const channels = more.channels ?? [
    more.channel ?? memory('phone'),
    ...(more.also === undefined ? [] : [memory(more.also)]),
  ]
  const tickets = await openTickets(world.home.noticeKey)
  let number = 0
  const newId = () => `delivery-${++number}`
  const listening: { hear(committed: never): void }[] = []
  type Alive = { readonly subscriber: DurableSubscriber; readonly sender: NoticeSender; die(): void }
  let alive: Alive | undefined
  supervisor.listen({
    name: 'all that tells',
    hear: (committed) => {
      for (const one of listening) one.hear(committed as never)
    },
  })
  /** Nothing hears what happens from now on, and what comes of what is on its way is stored by nobody. */
  const senderDies = async () => {
    listening.splice(0)
    const last = alive
    alive = undefined
    last?.die()
    void last?.sender.stop()
    await last?.subscriber.stop()
  }
  /** As when the daemon is stopped in order. */
  const senderStops = async () => {
    listening.splice(0)
    const last = alive
    alive = undefined
    await last?.sender.stop()
    await last?.subscriber.stop()
    // Its process is gone then.
    last?.die()
  }
  /** As a daemon does at its start, after the last one died. */
  const senderStarts = async () => {
    await senderDies()
    const subscriber = new DurableSubscriber(
      noticesSubscription({
        desk,
        rules: more.rules ?? [],
        channels: channels.map(({ name }) => name),
        kindsFor: more.kinds ?? (async () => NOTICE_KINDS),
      }),
      core,
    )
    let isDead = false
    const notices: typeof desk.notices = Object.create(desk.notices, {
      change: {
        value: async (...change: Parameters<typeof desk.notices.change>) => {
          if (isDead) throw new HoldfastError('STALE_EPOCH', 'Another daemon has taken over.')
          return desk.notices.change(...change)
        },
      },
    })
    const sender = new NoticeSender({
      desk: { notices },
      tickets,
      clock,
      log: core.log,
      channels,
      newId,
      groupMs: GROUP_MS,
      giveUpAfterMs: more.giveUpAfterMs ?? 3 * 86_400_000,
      quietHours: () => more.quietHours ?? null,
    })
    alive = { subscriber, sender, die: () => (isDead = true) }
    listening.push(subscriber as never, sender as never)
    await subscriber.start()
    await sender.start()
    await settled()
  }
  await senderStarts()
  onTestFinished(senderDies)
  const notify = openNotify({
    desk,
    tickets,
    clock,
    log: core.log,
    channels,
    quietHours: () => more.quietHours ?? null,
    newId,
    answerWithinMs: more.answerWithinMs ?? 86_400_000,
  })
  return {
    ...world,
    sent,
    hands,
    tickets,
    notify,
    /** A headless one says that it has failed, and ends. */
    async fails(id: TaskId, text: string) {
      const { runId } = await world.task(id)
      appendFileSync(
        `${world.home.run(runId!)}/events.jsonl`,
        `${JSON.stringify({ type: 'result', ok: false, text })}\n`,
      )
      await world.agentExits(id, { code: 1 })
      await clock.passUntil(
        'its end to be seen',
        async () => (await core.store.run(runId!))?.state === 'exited',
      )
    },
    senderDies,
    senderStops,
    senderStarts,
    titles: () => sent.flatMap(({ notices }) => notices.map(({ title }) => title)),
    /** One that has nothing left to do. */
    async untilSent(count: number) {
      await clock.passUntil(`${count} to be sent`, () => sent.length >= count, 3 * 86_400_000)
    },
    presses: (ticket: string, channel = 'phone') => notify.receive(channel, { headers: {}, body: ticket }),
    log: () => desk.notices.log({ most: 100 }),
    /** The same as people are shown it, each with why. */
    seen: () => notify.log({ most: 100 }),
  }
}
