// Owns the board while it is open: keys and news come in, frames go out.

import { homePaths } from '../../domain/names/home.ts'
import type { ListQuery } from '../../protocol/api.ts'
import type { Context } from '../context.ts'
import { elapsed } from '../render/print/time.ts'
import { BoardActions } from './board-actions.ts'
import { boardRequests } from './board-requests.ts'
import { Feed } from './feed/feed.ts'
import { Refresh } from './feed/refresh.ts'
import type { Key } from './input/keys.ts'
import { press, reselected } from './input/press.ts'
import { type BoardState, INITIAL_STATE, type Page } from './input/state.ts'
import { boardFrame, isTooSmall, listHeight, tooSmall } from './layout/board-layout.ts'
import { PAGE_CHROME, pageLines, topOf, wrapCache } from './layout/page-layout.ts'
import { BoardModel, type Held } from './model/board-model.ts'
import { filtered } from './model/filter.ts'
import { isToBeLookedAt } from './model/is-to-be-looked-at.ts'
import { sectionOf } from './model/sections.ts'
import { serverClock } from './model/server-clock.ts'
import { timeJumps } from './model/time-jumps.ts'
import { monotonicMs } from './monotonic.ts'
import { pageText } from './page-text.ts'
import { type Frame, paint, type Shown } from './screen/painter.ts'
import { BoardTerminal } from './terminal.ts'

export type BoardNeeds = {
  readonly home: string
  readonly env: Context['env']
  readonly hasColour: boolean
  /** Says nothing on stderr: that would be drawn over the board. */
  readonly context: Pick<Context, 'daemon' | 'runningDaemon'>
  readonly query: ListQuery
  /** Enters a session's terminal, and returns when the person has left it. */
  readonly attach: (id: string) => Promise<unknown>
}

const FRAME_MS = 30
/** Ages grow by the second. */
const TICK_MS = 1_000
/** A row that is only passed by is not asked for. */
const LOOK_AFTER_MS = 60

export class Board {
  readonly #needs: BoardNeeds
  readonly #model = new BoardModel()
  readonly #clock = serverClock(Date.now, monotonicMs)
  readonly #terminal: BoardTerminal
  readonly #refresh: Refresh
  readonly #feed: Feed
  readonly #actions: BoardActions
  readonly #wrap = wrapCache()
  #state: BoardState = INITIAL_STATE
  #shown: Shown | null = null
  #drawTimer: NodeJS.Timeout | undefined
  #lookTimer: NodeJS.Timeout | undefined
  #drawnAt = 0
  /** What was asked in the last frame, and what of it the terminal has taken. */
  #askedLast: BoardState['prompt'] = null
  #askedInSight: BoardState['prompt'] = null
  #isReached = false
  /** The rows are in their final order, or a person has chosen one: the selection does not move to the first row any more. */
  #isSorted = false
  /** The next frame selects the first row. */
  #isFirstNext = false
  #end: (exitCode: number) => void = () => {}

  constructor(needs: BoardNeeds) {
    this.#needs = needs
    const { home, env, context } = needs
    const onChange = () => this.#drawSoon()
    // The first question starts a daemon if there is none; later, one that somebody stopped stays stopped.
    const daemon = () => (this.#isReached ? context.runningDaemon() : context.daemon())
    this.#terminal = new BoardTerminal({
      onKeys: (keys) => this.#press(keys),
      onRedraw: () => this.#redraw(),
      onFree: () => this.#draw(),
      onEnd: (exitCode) => this.#end(exitCode),
    })
    this.#refresh = new Refresh({
      daemon,
      model: this.#model,
      clock: this.#clock,
      query: needs.query,
      onAnswer: () => {
        this.#selectFirst()
        this.#feed.hearAnswer()
        this.#actions.checkAnswer()
        onChange()
      },
      onTrouble: (error) => this.#feed.hearTrouble(error),
    })
    this.#feed = new Feed({
      socket: homePaths(home).socket,
      daemon: context.daemon,
      runningDaemon: context.runningDaemon,
      refresh: this.#refresh,
      clock: this.#clock,
      onChange,
      onEvent: (event) => this.#actions.hear(event),
      isWatched: (id) => id === this.#state.selected,
      hasTimeJumped: timeJumps(Date.now, monotonicMs),
    })
    this.#actions = new BoardActions({
      requests: boardRequests({ daemon: context.daemon, env, now: () => this.#clock.now(monotonicMs()) }),
      daemon,
      env,
      model: this.#model,
      attach: needs.attach,
      terminal: this.#terminal,
      wantOne: (id) => this.#refresh.wantDetail(id),
      change: (change) => this.#change(change),
      redraw: () => this.#redraw(),
    })
  }

  /** Returns the exit code when the person leaves. */
  async run(): Promise<number> {
    const listed = this.#refresh.list(false)
    // The streams of the terminal are made while the daemon answers.
    this.#terminal.prepare()
    await listed
    this.#isReached = true
    const ended = new Promise<number>((resolve) => {
      this.#end = resolve
    })
    this.#terminal.open()
    this.#draw()
    const tick = setInterval(() => this.#drawSoon(), TICK_MS)
    this.#feed.start()
    const exitCode = await ended
    clearInterval(tick)
    clearTimeout(this.#drawTimer)
    clearTimeout(this.#lookTimer)
    this.#feed.stop()
    this.#refresh.stop()
    this.#actions.stop()
    this.#terminal.leave()
    return exitCode
  }

  /** Until the order is known and a person chooses, the selection stays with the first row, whoever that is. */
  #selectFirst(): void {
    if (this.#isSorted) return
    this.#isSorted = this.#refresh.isComplete
    this.#isFirstNext = true
  }

  /** A key is about what is in sight: the selection changes when the board is drawn, not before. */
  #press(keys: readonly Key[]): void {
    this.#isSorted = true
    this.#isFirstNext = false
    for (const key of keys) {
      if (this.#asksUnseen()) break
      const { state, action } = press(this.#state, key, this.#around())
      const hasMoved = state.selected !== this.#state.selected || state.selectedAt !== this.#state.selectedAt
      this.#state = reselected(state, this.#rows())
      if (hasMoved) this.#lookLater()
      if (action?.do === 'quit') {
        this.#end(0)
        return
      }
      if (action !== null) this.#actions.start(action)
    }
    const isLast = this.#state.selectedAt >= this.#rows().length - 1
    if (isLast && this.#state.page === null) this.#refresh.wantOlder()
    this.#drawSoon()
  }

  /** What was typed before a question was seen is no answer to it. */
  #asksUnseen(): boolean {
    const { prompt } = this.#state
    return prompt !== null && !('line' in prompt) && prompt !== this.#askedInSight
  }

  #around() {
    const { size } = this.#terminal
    const { page, prompt } = this.#state
    const pageHeight = Math.max(1, size.rows - PAGE_CHROME)
    const pageTop = page === null ? 0 : topOf(page, this.#wrapped(page).length, pageHeight)
    return { rows: this.#rows(), listHeight: listHeight(size, prompt), pageHeight, pageTop }
  }

  #wrapped(page: Page): readonly string[] {
    return this.#wrap(pageText(page, this.#actions.sources).lines, this.#terminal.size.columns)
  }

  #rows(): readonly Held[] {
    return filtered(this.#model.rows(), this.#state.filter)
  }

  #change(change: (state: BoardState) => BoardState): void {
    this.#state = change(this.#state)
    this.#drawSoon()
  }

  /** Nothing is known of what the terminal shows. */
  #redraw(): void {
    this.#shown = null
    this.#draw()
  }

  #drawSoon(): void {
    if (this.#drawTimer !== undefined) return
    const wait = Math.max(0, this.#drawnAt + FRAME_MS - monotonicMs())
    this.#drawTimer = setTimeout(() => this.#draw(), wait)
  }

  #draw(): void {
    clearTimeout(this.#drawTimer)
    this.#drawTimer = undefined
    if (!this.#terminal.isOurs) return
    // A slow line gets the newest frame when it is free, and none of those in between.
    if (this.#terminal.isBusy) return
    this.#askedInSight = this.#askedLast
    const { size } = this.#terminal
    const { bytes, shown } = paint(this.#shown, this.#frame(), size, this.#needs.hasColour)
    this.#shown = shown
    this.#drawnAt = monotonicMs()
    if (bytes !== '') this.#terminal.write(bytes)
    this.#askedLast = this.#state.prompt
    if (!this.#terminal.isBusy) this.#askedInSight = this.#askedLast
    this.#lookSoon()
  }

  #frame(): Frame {
    const { size } = this.#terminal
    if (isTooSmall(size)) return tooSmall(size)
    const { page } = this.#state
    if (page !== null) {
      const text = { ...pageText(page, this.#actions.sources), wrapped: this.#wrapped(page) }
      return { lines: pageLines(page, text, size.rows), cursor: null }
    }
    const monotonic = monotonicMs()
    const rows = this.#rows()
    const before = this.#isFirstNext ? { ...this.#state, selected: null, selectedAt: 0 } : this.#state
    this.#isFirstNext = false
    this.#state = reselected(before, rows)
    const { link, outage, trouble } = this.#feed
    const truth = {
      link,
      trouble: trouble && `${trouble.why} for ${elapsed((monotonic - trouble.since) / 1000)}`,
      silentMs: this.#feed.silentMs(monotonic),
      outage: outage === null ? null : `tmux: ${outage.why}`,
    }
    const now = { monotonic, server: this.#clock.now(monotonic) }
    const { frame, top } = boardFrame(this.#state, { model: this.#model, rows, truth, now }, size)
    this.#state = { ...this.#state, top }
    return frame
  }

  /** The selection moved on: whoever was passed by is not asked for. */
  #lookLater(): void {
    clearTimeout(this.#lookTimer)
    this.#lookTimer = undefined
    this.#lookSoon()
  }

  #lookSoon(): void {
    if (this.#lookTimer !== undefined || this.#unknownInSight().length === 0) return
    this.#lookTimer = setTimeout(() => {
      this.#lookTimer = undefined
      if (this.#feed.link.kind === 'live')
        for (const id of this.#unknownInSight()) this.#refresh.wantDetail(id)
    }, LOOK_AFTER_MS)
  }

  /** What the list does not tell: all of the selected session, and why others need a person. */
  #unknownInSight(): string[] {
    const rows = this.#rows()
    const wanted = rows
      .slice(0, this.#terminal.size.rows)
      .filter(
        ({ row, detail, questions }) =>
          sectionOf(row) === 'needs_you' && detail === null && questions.length === 0,
      )
      .map(({ row }) => row.session_id)
    const { selected } = this.#state
    if (selected !== null && isToBeLookedAt(this.#model.get(selected), monotonicMs())) wanted.push(selected)
    return wanted
  }
}
