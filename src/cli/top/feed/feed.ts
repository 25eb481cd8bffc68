// Owns the board's ear: it follows the journal, connects again by itself, and knows when the daemon last said something.

import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isHoldfastError, messageOf } from '../../../domain/errors.ts'
import type { TmuxOutageJson } from '../../../protocol/json/daemon-json.ts'
import type { DaemonClient } from '../../wire/client.ts'
import type { ServerClock } from '../model/server-clock.ts'
import { monotonicMs } from '../monotonic.ts'
import type { Refresh } from './refresh.ts'
import { type SentEvent, sseReader } from './sse.ts'

export type Link =
  | { readonly kind: 'live' }
  | { readonly kind: 'connecting' }
  /** `why`: what the last try to reach it ended with. */
  | { readonly kind: 'lost'; readonly why: string }
  /** Somebody stopped the daemon: it is not started again from here. */
  | { readonly kind: 'stopped' }

/** `since`: on our monotonic clock. */
export type Trouble = { readonly why: string; readonly since: number }

export type FeedNeeds = {
  readonly socket: string
  /** Starts the daemon when it died: its socket is still there. */
  readonly daemon: () => DaemonClient
  readonly runningDaemon: () => DaemonClient
  readonly refresh: Pick<Refresh, 'wantOne' | 'wantList'>
  readonly clock: ServerClock
  readonly onChange: () => void
  /** Every event of a session, before it is asked for. */
  readonly onEvent: (event: JournalEvent) => void
  readonly isWatched: (id: string) => boolean
  /** Whether the machine slept since this was last asked: then nobody knows how old what is shown is. */
  readonly hasTimeJumped: () => boolean
}

export type JournalEvent = {
  readonly kind: string
  readonly task: string | null
  readonly at: number
  readonly data: Readonly<Record<string, unknown>>
}

const LOOK_AGAIN_MS = 250
/** After so long without a word the daemon is asked for its health. Events and answers are words, too. */
const ASK_AFTER_MS = 4_000
/** Without a word for so long, what is shown may be out of date. */
export const SILENT_AFTER_MS = 7_000

export class Feed {
  readonly #needs: FeedNeeds
  #link: Link = { kind: 'connecting' }
  #lastWordAt = monotonicMs()
  #outage: TmuxOutageJson | null = null
  #trouble: Trouble | null = null
  #isStopped = false
  #isProbing = false
  #timer: NodeJS.Timeout | undefined
  #end: (() => void) | undefined

  constructor(needs: FeedNeeds) {
    this.#needs = needs
  }

  get link(): Link {
    return this.#link
  }
  /** Why no terminal can be opened; null when they can. */
  get outage(): TmuxOutageJson | null {
    return this.#outage
  }
  /** Why the daemon cannot answer, though it is there; null when it can. */
  get trouble(): Trouble | null {
    return this.#trouble
  }
  silentMs(now: number): number {
    return now - this.#lastWordAt
  }

  hearAnswer(): void {
    this.#lastWordAt = monotonicMs()
    this.#trouble = null
  }

  /** No answer came, or one that tells what is wrong. Without the store the daemon knows nothing of sessions. */
  hearTrouble(error: unknown): void {
    const isStore = isHoldfastError(error) && error.code.startsWith('STORE_')
    this.#trouble = isStore
      ? (this.#trouble ?? { why: 'the store does not answer', since: monotonicMs() })
      : null
    this.#needs.onChange()
  }

  start(): void {
    this.#timer = setInterval(() => {
      // Whoever connects again reads the list anyway.
      if (this.#needs.hasTimeJumped() && this.#link.kind === 'live') this.#needs.refresh.wantList('fresh')
      if (this.silentMs(monotonicMs()) >= ASK_AFTER_MS && this.#link.kind === 'live') void this.#probe()
    }, 1_000)
    void this.#probe()
    void this.#follow()
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
    this.#end?.()
  }

  async #follow(): Promise<void> {
    while (!this.#isStopped) {
      const why = await this.#readOnce().then(
        () => 'the connection ended',
        (error) => {
          this.hearTrouble(error)
          return messageOf(error)
        },
      )
      if (this.#isStopped) return
      this.#set({ kind: 'lost', why })
      await sleep(LOOK_AGAIN_MS)
      while (!existsSync(this.#needs.socket) && !this.#isStopped) {
        this.#set({ kind: 'stopped' })
        await sleep(LOOK_AGAIN_MS)
      }
    }
  }

  /** Returns when the daemon has closed the stream. */
  async #readOnce(): Promise<void> {
    const { daemon, refresh } = this.#needs
    const stream = await daemon().stream('GET /api/events', { query: { from: 'now' } })
    this.#end = () => stream.destroy?.()
    if (this.#isStopped) return this.#end()
    this.#lastWordAt = monotonicMs()
    this.#set({ kind: 'live' })
    // What happened before the stream began is in the list that is asked for now.
    refresh.wantList('fresh')
    const read = sseReader()
    for await (const bytes of stream) {
      // Also a mere sign of life: while nothing happens, nothing else is to be told.
      this.#lastWordAt = monotonicMs()
      for (const event of read(bytes)) this.#hear(event)
      this.#needs.onChange()
    }
  }

  #hear({ kind, data }: SentEvent): void {
    const { clock, refresh, onEvent, isWatched } = this.#needs
    const event = eventOf(kind, data)
    if (event === undefined) return
    clock.hear(event.at, monotonicMs())
    if (ABOUT_MANY.test(kind)) {
      refresh.wantList()
      void this.#probe()
    }
    if (CHANGES_TOTALS.test(kind)) refresh.wantList()
    if (event.task === null) return
    onEvent(event)
    if (CHANGES_A_ROW.test(kind) || isWatched(event.task)) refresh.wantOne(event.task)
  }

  async #probe(): Promise<void> {
    this.#probeAgain = this.#isProbing
    if (this.#isProbing) return
    this.#isProbing = true
    try {
      const { tmux_outage } = await this.#needs.runningDaemon().call('GET /api/health')
      this.hearAnswer()
      this.#outage = tmux_outage
      this.#needs.onChange()
    } catch (error) {
      // Of one who does not answer at all, the header tells how long it has been silent.
      this.hearTrouble(error)
    }
    this.#isProbing = false
    if (this.#probeAgain && !this.#isStopped) void this.#probe()
  }
  /** Something happened while the daemon was asked: its answer may be older. */
  #probeAgain = false

  #set(link: Link): void {
    this.#link = link
    this.#needs.onChange()
  }
}

/** What the list shows of a session, and what it shows of many at once. */
const CHANGES_A_ROW = /^(task_|stop_|restart_|questions?_|order_settled|verified|escalation)/
const ABOUT_MANY = /^(gate_|server_)/
/** These may be about a session that ended long ago, which is counted, but not on the board. */
const CHANGES_TOTALS = /^task_(archived|removed|reopened)$/

function eventOf(kind: string, text: string): JournalEvent | undefined {
  try {
    const { task, at, ...data } = Object(JSON.parse(text)) as Record<string, unknown>
    return typeof at === 'number'
      ? { kind, at, task: typeof task === 'string' ? task : null, data }
      : undefined
  } catch {
    return undefined
  }
}
