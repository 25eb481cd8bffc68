// Owns sending notices by channels: notices that belong together are bound to one delivery, which is stored before it is
// sent, tried again until the receiver takes it, and then never sent again. A new daemon needs nothing of what is held here.
import { isHoldfastError, messageOf } from '../domain/errors.ts'
import type { Notice } from '../domain/notify/notice.ts'
import { dueInMs, pauseMs, quietForMs, triedForMs } from '../domain/notify/pace.ts'
import type { Channel, Outcome, Receipts } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { BoundDelivery } from '../ports/store/notices.ts'
import type { JournalListener } from '../supervisor/desk.ts'
import { composeMessage, partsOf, type TellingNeeds, whyOver } from './compose-message.ts'

const MOST_AT_ONCE = 100
/** After an error, such as a locked store. */
const AGAIN_MS = 1000
/** The wall clock may be set while somebody waits for a time of day. */
const LONGEST_WAIT_MS = 60_000
/** How long a stop waits for what is on its way. */
const STOP_WITHIN_MS = 5000

export type SenderNeeds = TellingNeeds & {
  readonly clock: Pick<Clock, 'now' | 'minuteOfDay' | 'after'>
  readonly log: Pick<Log, 'error' | 'warn'>
  readonly channels: readonly Channel[]
  readonly groupMs: number
  readonly giveUpAfterMs: number
  /** Null when it is never quiet. */
  readonly quietHours: (channel: string) => string | null
  readonly newId: () => string
}

export class NoticeSender implements JournalListener {
  readonly name = 'telling people'
  readonly #needs: SenderNeeds
  /** By name: the channels that are being looked at now. True when news came meanwhile, so that they are looked at again. */
  readonly #looking = new Map<string, boolean>()
  readonly #underWay = new Set<Promise<void>>()
  readonly #timers = new Map<string, () => void>()
  readonly #lastTriedAt = new Map<string, number>()
  /** By the id of a delivery: what came of sending it, while that could not be stored yet. */
  readonly #unstored = new Map<string, Outcome>()
  /** By the id of a delivery: the receivers that have it, while that could not be stored yet. */
  readonly #unstoredReceipts = new Map<string, Set<string>>()
  #isStopped = false

  constructor(needs: SenderNeeds) {
    this.#needs = needs
  }

  /** Goes on with the notices and deliveries that an earlier daemon left unsent. */
  async start(): Promise<void> {
    await this.#dropOrphans()
    for (const { name } of this.#needs.channels) this.#look(name)
  }

  /** Waits for deliveries that are on their way, and stores what came of them: otherwise the next daemon would send them again. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const cancel of this.#timers.values()) cancel()
    await new Promise<void>((resolve) => {
      const cancel = this.#needs.clock.after(STOP_WITHIN_MS, resolve)
      void Promise.allSettled(this.#underWay).then(() => {
        cancel()
        resolve()
      })
    })
  }

  hear({ toTell }: Parameters<JournalListener['hear']>[0]): void {
    for (const name of toTell ?? []) this.#look(name)
  }

  #look(name: string): void {
    const channel = this.#needs.channels.find((one) => one.name === name)
    if (this.#isStopped || channel === undefined) return
    if (this.#looking.has(name)) {
      this.#looking.set(name, true)
      return
    }
    this.#looking.set(name, false)
    const look = this.#lookOnce(channel).finally(() => {
      this.#underWay.delete(look)
      const again = this.#looking.get(name)
      this.#looking.delete(name)
      if (again === true) this.#look(name)
    })
    this.#underWay.add(look)
  }

  async #lookOnce(channel: Channel): Promise<void> {
    const { log } = this.#needs
    try {
      const waitMs = await this.#tellIfDue(channel)
      if (waitMs !== null) this.#lookIn(channel.name, waitMs)
    } catch (error) {
      if (this.#isStopped || isHoldfastError(error, 'STALE_EPOCH')) return
      if (!isHoldfastError(error, 'TRANSITION_CONFLICT'))
        log.error('a channel could not be told', { channel: channel.name, error: messageOf(error) })
      this.#lookIn(channel.name, AGAIN_MS)
    }
  }

  #lookIn(name: string, ms: number): void {
    this.#timers.get(name)?.()
    if (this.#isStopped) return
    const cancel = this.#needs.clock.after(Math.min(Math.max(0, ms), LONGEST_WAIT_MS), () => {
      this.#timers.delete(name)
      this.#look(name)
    })
    this.#timers.set(name, cancel)
  }

  /** Ms until the next look; null when there is nothing to tell. */
  async #tellIfDue(channel: Channel): Promise<number | null> {
    const { clock, desk, groupMs, quietHours } = this.#needs
    const { name } = channel
    const open = await desk.notices.nextDelivery(name)
    const remainder = await desk.notices.nextRemainder(name)
    const quietMs = quietForMs(quietHours(name), clock.minuteOfDay())
    const now = clock.now()
    const waits: number[] = []
    for (const one of [open, remainder]) {
      if (one === undefined) continue
      const known = this.#unstored.get(one.id)
      if (known !== undefined) return this.#store(one, known)
      const waitMs = Math.max(dueInMs(one.nextAt, now), quietMs)
      if (waitMs === 0) return this.#send(one, channel)
      waits.push(waitMs)
    }
    // While no receiver takes the oldest delivery, newer notices wait. A delivery that some receivers have holds up nothing.
    if (open !== undefined) return Math.min(...waits)
    const rows = await desk.notices.unbound(name, MOST_AT_ONCE)
    if (rows.length > 0) {
      const waitMs = Math.max(
        remainingMs(Math.min(...rows.map(({ at }) => at)), groupMs, now),
        remainingMs(this.#lastTriedAt.get(name) ?? null, groupMs, now),
        quietMs,
      )
      if (waitMs === 0) return (await this.#bind(rows, channel)) ? 0 : AGAIN_MS
      waits.push(waitMs)
    }
    return waits.length === 0 ? null : Math.min(...waits)
  }

  /**
   * Binds as much as one message takes; the rest follows after a pause. Questions that are over are told to nobody: rules
   * have answered them, or a person has.
   */
  async #bind(rows: readonly Notice[], channel: Channel): Promise<boolean> {
    const { clock, desk, newId } = this.#needs
    const live: Notice[] = []
    for (const row of rows) {
      const why = await whyOver(row, desk)
      if (why === null) live.push(row)
      else await desk.notices.change({ dropNotices: { ids: [row.id], why } })
    }
    const [part] = partsOf(live, channel)
    if (part === undefined) return false
    await desk.notices.change({
      bindNotices: { id: newId(), channel: channel.name, notices: idsOf(part), at: clock.now() },
    })
    return true
  }

  /** What an earlier version bound, or what the receiver found too big, is sent in parts. */
  async #send(delivery: BoundDelivery, channel: Channel): Promise<number | null> {
    const parts = partsOf(delivery.notices, channel)
    if (parts.length > 1) return this.#split(delivery, parts)
    const message = await composeMessage(delivery, channel, this.#needs)
    if (this.#isStopped) return null
    const outcome = await channel.send(message, this.#receiptsOf(delivery))
    if (outcome.kind === 'too_big' && message.notices.length > 1)
      return this.#split(delivery, halvesOf(message.notices))
    this.#unstored.set(delivery.id, outcome)
    return this.#store(delivery, outcome)
  }

  /** Each part has an id of its own, and its time. */
  async #split(delivery: BoundDelivery, parts: readonly (readonly { id: string }[])[]): Promise<number> {
    const { clock, desk, groupMs, newId } = this.#needs
    const { id, tries } = delivery
    const now = clock.now()
    const made = parts.map((part, place) => ({
      id: newId(),
      notices: idsOf(part),
      nextAt: now + place * groupMs,
    }))
    await desk.notices.change({ splitDelivery: { id, before: tries, parts: made } })
    for (const part of made) this.#unstoredReceipts.set(part.id, new Set(this.#unstoredReceipts.get(id)))
    this.#unstoredReceipts.delete(id)
    return 0
  }

  /** Each receipt is stored as it comes: a daemon that dies then tells only the others. */
  #receiptsOf({ id, channel, taken }: BoundDelivery): Receipts {
    const { desk, log } = this.#needs
    const unstored = this.#unstoredReceipts.get(id) ?? new Set()
    this.#unstoredReceipts.set(id, unstored)
    return {
      taken: new Set([...taken, ...unstored]),
      take: async (receiver) => {
        unstored.add(receiver)
        try {
          await desk.notices.change({ taken: { id, receiver } })
          unstored.delete(receiver)
        } catch (error) {
          log.warn('who has a delivery could not be stored', {
            channel,
            delivery: id,
            error: messageOf(error),
          })
        }
      },
    }
  }

  async #store({ id, channel, tries }: BoundDelivery, outcome: Outcome): Promise<number> {
    const { clock, desk, log, giveUpAfterMs, groupMs } = this.#needs
    const at = clock.now()
    const isOver = outcome.kind === 'later' && triedForMs(tries + 1) >= giveUpAfterMs
    const state =
      outcome.kind === 'sent' ? 'sent' : outcome.kind !== 'later' || isOver ? 'set_aside' : 'waiting'
    const waitMs = outcome.kind === 'later' ? pauseMs(tries + 1, outcome.afterMs ?? null) : groupMs
    const error = outcome.kind === 'sent' ? null : outcome.why
    await desk.notices.change({
      tried: { id, channel, before: tries, state, nextAt: at + waitMs, error, at },
    })
    this.#unstored.delete(id)
    if (state === 'sent' || this.#unstoredReceipts.get(id)?.size === 0) this.#unstoredReceipts.delete(id)
    this.#lastTriedAt.set(channel, at)
    if (state === 'set_aside') log.error('a delivery was set aside', { channel, delivery: id, error })
    else if (error !== null) log.warn('a channel does not answer', { channel, delivery: id, error })
    // Something else may be due before this is tried again.
    return Math.min(waitMs, groupMs)
  }

  /** Channels that are no longer in the settings. */
  async #dropOrphans(): Promise<void> {
    const { channels, clock, desk } = this.#needs
    const known = new Set(channels.map(({ name }) => name))
    const why = 'the channel is no longer in the settings'
    for (const channel of await desk.notices.channelsToTell()) {
      if (known.has(channel)) continue
      for (;;) {
        const rows = await desk.notices.unbound(channel, MOST_AT_ONCE)
        if (rows.length === 0) break
        await desk.notices.change({ dropNotices: { ids: rows.map(({ id }) => id), why } })
      }
      const next = async () =>
        (await desk.notices.nextDelivery(channel)) ?? (await desk.notices.nextRemainder(channel))
      const at = clock.now()
      for (let open = await next(); open !== undefined; open = await next())
        await desk.notices.change({
          tried: { id: open.id, channel, before: open.tries, state: 'set_aside', nextAt: at, error: why, at },
        })
    }
  }
}

/** How much is left of a span that began at `since`. A `since` in the future means that the clock was set back: nothing is left then. */
const remainingMs = (since: number | null, spanMs: number, now: number) =>
  since === null || since > now ? 0 : Math.max(0, since + spanMs - now)

const idsOf = (notices: readonly { readonly id: string }[]) => notices.map(({ id }) => id)

const halvesOf = <One>(all: readonly One[]) => {
  const middle = Math.ceil(all.length / 2)
  return [all.slice(0, middle), all.slice(middle)]
}
