// Owns a reader of the journal that misses nothing, also when the daemon dies: what it writes for an event commits
// together with its place. An event that fails again and again is set aside, and holds up only later events of its task;
// one whose events were deleted goes on with those that are kept. People are told of both.
import { newsOfMissed, newsOfSetAside } from '../../changes/subscriber-news.ts'
import { isHoldfastError, messageOf } from '../../domain/errors.ts'
import type { EventKind, JournalEvent } from '../../domain/journal/events.ts'
import { eventsBetween, type JournalPlace, keptPlace } from '../../domain/journal/place.ts'
import { nameAtNode } from '../../domain/journal/subscriber-name.ts'
import type { NodeId, TaskId } from '../../domain/names/ids.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Change, Committed } from '../../ports/store/commits.ts'
import type { JournalFilter, JournalReaders, JournalReads, Subscriber } from '../../ports/store/journal.ts'
import type { JournalListener } from '../kernel/journal.ts'

const EVENTS_PER_READ = 100
const TRIES = 5
const FIRST_PAUSE_MS = 100
/** How often the subscriber's place moves past events that do not concern it: a place that stays behind keeps old events from being deleted. */
const PASS_BY_EVERY_MS = 10 * 60_000

/**
 * Returns what is to be stored for this event; undefined when the event does not concern the subscriber. May be called again
 * for the same event. What it commits by itself names the event as its cause.
 */
export type Handle = (event: JournalEvent) => Promise<Change | undefined>

/** Who follows the journal, which events concern it, and what it does for each. */
export type Subscription = {
  readonly name: string
  /** The kinds of events that concern it; when absent, all kinds do. */
  readonly kinds?: readonly EventKind[]
  /** Each node has a subscriber of this name, for the node's own events: a daemon hears only what it commits itself. */
  readonly isOfNode?: true
  /** `start` resolves only after all events from before it were handled: what the daemon does next depends on them. */
  readonly catchesUpFirst?: true
  readonly handle: Handle
  /** Called when events were deleted before they were handled. Does what still has to be done as far as the present state of the tasks shows it, and returns what is to be stored for that. */
  readonly readAnew?: () => Promise<Omit<Change, 'event' | 'audit'>>
}

export type SubscriberNeeds = {
  readonly store: Pick<
    JournalReads,
    'journalAfter' | 'journalStart' | 'journalEnd' | 'setAsides' | 'subscribers'
  > &
    Pick<JournalReaders, 'takeSubscriber'> & { readonly nodeId: NodeId }
  readonly commit: (change: Change) => Promise<Committed>
  readonly clock: Pick<Clock, 'now' | 'sleep' | 'after'>
  readonly log: Pick<Log, 'error' | 'warn'>
}

/** `place`: all events before it are handled. */
type Held = Pick<Subscriber, 'epoch'> & { place: JournalPlace }

export class DurableSubscriber implements JournalListener {
  readonly name: string
  /** The name without the node, as people know it. */
  readonly #title: string
  readonly #handle: Handle
  readonly #readAnew: Subscription['readAnew']
  readonly #kinds: readonly EventKind[] | undefined
  readonly #filter: JournalFilter
  readonly #catchesUpFirst: boolean
  readonly #needs: SubscriberNeeds
  #held: Held | undefined
  /** Tasks with an event that is set aside: their later events are set aside too, and wait behind it. */
  #blocked = new Set<TaskId>()
  #working: Promise<void> | undefined
  #hasNews = false
  /** What was set aside is to be tried again. */
  #triesAgain = false
  #isStopped = false
  #callOffPassBy: (() => void) | undefined

  constructor(
    { name, kinds, isOfNode, catchesUpFirst, handle, readAnew }: Subscription,
    needs: SubscriberNeeds,
  ) {
    const { nodeId } = needs.store
    this.name = isOfNode ? nameAtNode(name, nodeId) : name
    this.#title = name
    this.#filter = { ...(kinds && { kinds }), ...(isOfNode && { nodeId }) }
    this.#kinds = kinds
    this.#catchesUpFirst = catchesUpFirst === true
    this.#handle = handle
    this.#readAnew = readAnew
    this.#needs = needs
  }

  /** Registers the subscriber, or takes it over from its last holder. Then tries once more what was set aside. */
  async start(): Promise<void> {
    const { store, clock } = this.#needs
    this.#held = { ...(await store.takeSubscriber(this.name, clock.now())) }
    this.#triesAgain = true
    this.hear()
    if (this.#catchesUpFirst) await this.whenIdle()
  }

  /** Begins to read the journal, unless `committed` shows that nothing in it concerns this subscriber. Without `committed`, there may be news. */
  hear(committed?: Pick<Committed, 'events'>): void {
    if (committed !== undefined && !this.#concernIt(committed.events)) {
      this.#passByLater()
      return
    }
    this.#hasNews = true
    if (this.#held === undefined || this.#isStopped) return
    this.#working ??= this.#work(this.#held).finally(() => {
      this.#working = undefined
      // News may come after the last read and before this.
      if (this.#hasNews) this.hear()
    })
  }

  #concernIt(events: readonly JournalEvent[]): boolean {
    const kinds = this.#kinds
    return kinds === undefined || events.some(({ kind }) => kinds.includes(kind))
  }

  /** Events that do not concern it are passed by after a while, also when no others follow: otherwise it would seem to be behind. */
  #passByLater(): void {
    if (this.#held === undefined || this.#isStopped) return
    this.#callOffPassBy ??= this.#needs.clock.after(PASS_BY_EVERY_MS, () => {
      this.#callOffPassBy = undefined
      this.hear()
    })
  }

  /** Resolves when all events that were committed before the call are handled or set aside, or somebody else holds the subscriber. */
  async whenIdle(): Promise<void> {
    while (this.#working !== undefined) await this.#working
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#callOffPassBy?.()
    await this.whenIdle()
  }

  /** Tries all events that were set aside, in order. An event that still fails stays, with all events that wait behind it. */
  async takeUpAll(): Promise<void> {
    this.#triesAgain = true
    this.hear()
    await this.whenIdle()
  }

  /** Must not run while events are read: a later event of a task would be handled before one that was set aside. */
  async #takeUpAll(): Promise<void> {
    const { store } = this.#needs
    this.#blocked = new Set()
    for (const { event } of await store.setAsides(this.name)) {
      if (event.taskId !== null && this.#blocked.has(event.taskId)) continue
      if (!(await this.#takeUp(event)) && event.taskId !== null) this.#blocked.add(event.taskId)
    }
  }

  /** False when the event still fails. */
  async #takeUp(event: JournalEvent): Promise<boolean> {
    const { nodeId, seq } = event
    try {
      const change = await this.#handle(event)
      await this.#needs.commit({ ...change, cause: event, takeUp: { subscriber: this.name, nodeId, seq } })
      return true
    } catch (error) {
      if (isLost(error)) throw error
      return false
    }
  }

  async #work(held: Held): Promise<void> {
    try {
      while (this.#hasNews && !this.#isStopped) {
        this.#hasNews = false
        if (this.#triesAgain) await this.#takeUpAll()
        this.#triesAgain = false
        await this.#readOn(held).catch((error) => this.#catchUpWithStore(held, error))
      }
    } catch (error) {
      this.#giveUp(error)
    }
  }

  async #readOn(held: Held): Promise<void> {
    try {
      await this.#readToEnd(held)
    } catch (error) {
      if (!isHoldfastError(error, 'JOURNAL_TRUNCATED')) throw error
      await this.#goOnWithKept(held)
      this.#hasNews = true
    }
  }

  /**
   * A commit can be stored although it failed here: the connection broke before the answer came. Then the place in the
   * store is ahead of ours, and nobody else holds the subscriber. Throws the error when it means something else.
   */
  async #catchUpWithStore(held: Held, error: unknown): Promise<void> {
    if (!isHoldfastError(error, 'SUBSCRIBER_TAKEN')) throw error
    const stored = (await this.#needs.store.subscribers()).find(({ name }) => name === this.name)
    if (stored?.epoch !== held.epoch || isSamePlace(stored.place, held.place)) throw error
    held.place = stored.place
    this.#hasNews = true
  }

  /** Called when the events at the subscriber's place were deleted, or when the place is one of another journal. */
  async #goOnWithKept(held: Held): Promise<void> {
    const { store, clock, log } = this.#needs
    const kept = { start: await store.journalStart(), end: await store.journalEnd() }
    const to = keptPlace(held.place, kept)
    const missed = eventsBetween(held.place, to)
    log.error('a subscriber of the journal missed events', { subscriber: this.name, missed })
    await this.#commitAt(held, to, {
      ...(await this.#readStateAnew()),
      ...newsOfMissed(this.#title, missed, clock.now()),
    })
  }

  /** After a failure here, the subscriber still goes on with the events that are kept. */
  async #readStateAnew(): Promise<Change> {
    try {
      return (await this.#readAnew?.()) ?? {}
    } catch (error) {
      if (isLost(error)) throw error
      this.#needs.log.error('a subscriber of the journal could not read the state anew', {
        subscriber: this.name,
        error: messageOf(error),
      })
      return {}
    }
  }

  async #readToEnd(held: Held): Promise<void> {
    for (;;) {
      const part = await this.#needs.store.journalAfter(held.place, EVENTS_PER_READ, this.#filter)
      let to = held.place
      for (const event of part.events) {
        if (this.#isStopped) return
        to = placeAfter(to, event)
        await this.#take(held, event, to)
      }
      // One commit moves the place past all events at the end that did not concern the subscriber.
      if (!isSamePlace(part.place, held.place)) await this.#commitAt(held, part.place, {})
      if (part.events.length < EVENTS_PER_READ) return
    }
  }

  async #take(held: Held, event: JournalEvent, to: JournalPlace): Promise<void> {
    if (event.taskId !== null && this.#blocked.has(event.taskId)) return this.#setAside(held, event, null, to)
    const error = await this.#try(held, event, to)
    if (error !== undefined) await this.#setAside(held, event, error, to)
  }

  /** Undefined when the event is handled, or does not concern the subscriber; else the error's message. Throws only when somebody else holds the subscriber. */
  async #try(held: Held, event: JournalEvent, to: JournalPlace): Promise<string | undefined> {
    for (let tried = 1; ; tried++)
      try {
        const change = await this.#handle(event)
        if (change !== undefined) await this.#commitAt(held, to, { ...change, cause: event })
        return undefined
      } catch (error) {
        if (isLost(error)) throw error
        if (tried === TRIES || isHoldfastError(error, 'EVENT_LOOP')) return messageOf(error)
        await this.#needs.clock.sleep(FIRST_PAUSE_MS * 2 ** (tried - 1))
      }
  }

  async #commitAt(held: Held, to: JournalPlace, change: Change): Promise<void> {
    const { epoch, place } = held
    await this.#needs.commit({ ...change, handled: { subscriber: this.name, epoch, from: place, to } })
    held.place = to
  }

  /** `error`: null for an event that only waits behind another one of its task; that is not logged again. */
  async #setAside(held: Held, event: JournalEvent, error: string | null, to: JournalPlace): Promise<void> {
    const { clock, log } = this.#needs
    const at = clock.now()
    await this.#commitAt(held, to, {
      setAside: { subscriber: this.name, event, at, error },
      ...(error !== null && newsOfSetAside(this.#title, event, error, at)),
    })
    if (error === null) return
    if (event.taskId !== null) this.#blocked.add(event.taskId)
    log.error('an event was set aside', {
      subscriber: this.name,
      kind: event.kind,
      seq: event.seq,
      task: event.taskId,
      error,
    })
  }

  /** Stops for good when somebody else holds the subscriber. After any other error it goes on with the next commit. */
  #giveUp(error: unknown): void {
    this.#needs.log.error('a subscriber of the journal stopped', {
      subscriber: this.name,
      error: messageOf(error),
    })
    if (isLost(error)) this.#held = undefined
  }
}

/** Somebody else holds the store or the subscriber now. A conflict in what `handle` wanted to write is not meant: that is tried again. */
const isLost = (error: unknown) => isHoldfastError(error, 'STALE_EPOCH', 'SUBSCRIBER_TAKEN')

const isSamePlace = (one: JournalPlace, other: JournalPlace) =>
  Object.entries(one.at).every(([node, seq]) => other.at[node as NodeId] === seq)

const placeAfter = (place: JournalPlace, { nodeId, seq }: JournalEvent): JournalPlace => ({
  ...place,
  at: { ...place.at, [nodeId]: seq },
})
