// Owns what is asked of the daemon so that the board is true: the list once, then only sessions of which something was
// heard. One question follows the other, so that no answer can be older than the one before it.

import { isHoldfastError } from '../../../domain/errors.ts'
import type { ListQuery } from '../../../protocol/api.ts'
import type { DaemonClient } from '../../wire/client.ts'
import { fetchRows, listPages } from '../../wire/list-pages.ts'
import type { BoardModel } from '../model/board-model.ts'
import { forgetOldest } from '../model/forget-oldest.ts'
import type { ServerClock } from '../model/server-clock.ts'
import { monotonicMs } from '../monotonic.ts'

export type RefreshNeeds = {
  readonly daemon: () => DaemonClient
  readonly model: BoardModel
  readonly clock: ServerClock
  /** Which sessions the board is about. */
  readonly query: ListQuery
  /** An answer came. */
  readonly onAnswer: () => void
  /** There was none, or the daemon could not give it. */
  readonly onTrouble: (error: unknown) => void
}

/** More changed sessions than these are not asked for one by one: the list tells of all of them at once. */
const MOST_SINGLE = 8
const AT_ONCE = 4
/** Changes that come together are asked for together. */
const GATHER_MS = 20
/** A list is asked for at most so often, and so that the daemon has most of the time for other things. */
const LIST_EVERY_MS = 500
const LIST_SHARE = 5
/** What could not be asked is asked again. */
const AGAIN_MS = 1_000
/** How many ended sessions are on the board at first, and how many more come with each step back. */
const ENDED_AT_ONCE = 50

export class Refresh {
  readonly #needs: RefreshNeeds
  #timer: NodeJS.Timeout | undefined
  #isAsking = false
  #wantsList: 'no' | 'yes' | 'fresh' = 'no'
  #listAgainAt = 0
  #mostEnded = ENDED_AT_ONCE
  #isStopped = false
  #hasOlder = false
  #readsOlder = false
  #isComplete = false
  #wantsQuestions = false
  /** Sessions of which a person looks at more than a row. */
  readonly #details = new Set<string>()
  /** Sessions that the board is not about: neither their project nor their tags change. */
  readonly #others = new Set<string>()

  constructor(needs: RefreshNeeds) {
    this.#needs = needs
  }

  /** More ended sessions can be asked for. */
  get hasOlder(): boolean {
    return this.#hasOlder
  }

  /** The order of the board is the right one: it is also known what is asked. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Reads the list, and returns whom it told of. Errors are thrown. */
  async list(isFresh: boolean): Promise<ReadonlySet<string>> {
    const { daemon, model, clock, query, onAnswer } = this.#needs
    const from = monotonicMs()
    const asked = model.ask()
    const ids = new Set<string>()
    let totals = null
    // What has ended changes no more, unless there is an event of its own: those that were read before are not read again.
    const mostEnded = isFresh || this.#readsOlder ? this.#mostEnded : ENDED_AT_ONCE
    this.#readsOlder = false
    for await (const page of listPages(fetchRows(daemon()), query, mostEnded)) {
      const at = monotonicMs()
      for (const row of page.items) {
        ids.add(row.session_id)
        clock.hearOf(row, at)
        model.take(asked, row, at)
      }
      totals ??= page.totals
      if (mostEnded === this.#mostEnded) this.#hasOlder = page.next !== null
    }
    model.takeList(asked, ids, totals, isFresh)
    this.#listAgainAt = monotonicMs() + Math.max(LIST_EVERY_MS, LIST_SHARE * (monotonicMs() - from))
    onAnswer()
    return ids
  }

  /** What is asked, of all sessions: the list does not have it. Errors are thrown. */
  async questions(): Promise<void> {
    const { daemon, model, onAnswer } = this.#needs
    const asked = model.ask()
    model.takeQuestions(asked, (await daemon().call('GET /api/questions', { query: {} })).questions)
    this.#isComplete = true
    onAnswer()
  }

  /** Something was heard of a session. */
  wantOne(id: string): void {
    if (this.#others.has(id)) return
    this.#needs.model.hear(id)
    this.#schedule()
  }

  /** A person looks at it: it is asked for by itself, however much else changes. */
  wantDetail(id: string): void {
    this.#details.add(id)
    this.#schedule()
  }

  /** `fresh`: events may have been missed. */
  wantList(how: 'yes' | 'fresh' = 'yes'): void {
    if (this.#wantsList !== 'fresh') this.#wantsList = how
    this.#schedule()
  }

  wantOlder(): void {
    if (!this.#hasOlder) return
    this.#hasOlder = false
    this.#readsOlder = true
    this.#mostEnded += 2 * ENDED_AT_ONCE
    this.#listAgainAt = 0
    this.wantList()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #schedule(): void {
    if (this.#isAsking || this.#isStopped) return
    const isUrgent = this.#details.size > 0
    if (this.#timer !== undefined && (!isUrgent || this.#isSoon)) return
    clearTimeout(this.#timer)
    const isSingle = !this.#needsList() || this.#needs.model.stale().length <= MOST_SINGLE
    const isNow = isSingle && (this.#wantsList !== 'yes' || this.#needs.model.stale().length > 0)
    this.#isSoon = isNow || isUrgent
    this.#timer = setTimeout(() => void this.#ask(), this.#isSoon ? GATHER_MS : this.#untilList())
  }
  /** The next question is not put off. */
  #isSoon = false

  #needsList(): boolean {
    return this.#wantsList !== 'no' || this.#needs.model.stale().length > MOST_SINGLE
  }

  /** After missed events nothing waits: what is shown may be wrong. */
  #mayList(): boolean {
    return this.#wantsList === 'fresh' || monotonicMs() >= this.#listAgainAt
  }

  async #ask(): Promise<void> {
    const { model } = this.#needs
    this.#timer = undefined
    this.#isAsking = true
    const trouble = await this.#askOnce().then(
      () => null,
      (error: unknown) => ({ error }),
    )
    this.#isAsking = false
    if (this.#isStopped) return
    if (trouble !== null) return this.#askAgain(trouble.error)
    if (!model.isCountSure && this.#wantsList === 'no') this.#wantsList = 'yes'
    if (this.#wantsList !== 'no' || this.#details.size > 0 || model.stale().length > 0) this.#schedule()
  }

  /** Nobody knows what happened meanwhile, also when no event was missed: an answer may have been. */
  #askAgain(error: unknown): void {
    this.#wantsList = 'fresh'
    this.#isSoon = true
    this.#timer = setTimeout(() => void this.#ask(), AGAIN_MS)
    this.#needs.onTrouble(error)
  }

  #untilList(): number {
    return Math.max(GATHER_MS, this.#listAgainAt - monotonicMs())
  }

  async #askOnce(): Promise<void> {
    const { model } = this.#needs
    await this.#askForEach([...this.#details])
    if (this.#needsList() && this.#mayList()) {
      const isFresh = this.#wantsList === 'fresh'
      this.#wantsList = 'no'
      const listed = await this.list(isFresh)
      this.#wantsQuestions = true
      await this.#askForEach(model.stale().filter((id) => !listed.has(id)))
    } else if (model.stale().length <= MOST_SINGLE) await this.#askForEach(model.stale())
    if (!this.#wantsQuestions) return
    this.#wantsQuestions = false
    await this.questions()
  }

  async #askForEach(ids: readonly string[]): Promise<void> {
    const left = ids.values()
    const lane = async () => {
      for (const id of left) await this.#askFor(id)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
  }

  async #askFor(id: string): Promise<void> {
    const { daemon, model, clock, query, onAnswer } = this.#needs
    const asked = model.ask()
    this.#details.delete(id)
    try {
      const detail = await daemon().call('GET /api/tasks/:id', { id })
      const at = monotonicMs()
      // A session also tells of questions whose answers its agent has not taken yet; the list of questions does not.
      if (detail.task_status === 'waiting_input') this.#wantsQuestions = true
      clock.hearOf(detail, at)
      const isOurs =
        (query.project === undefined || detail.project === query.project) &&
        (query.tag === undefined || detail.tags.includes(query.tag))
      if (isOurs) model.takeDetail(asked, detail, at)
      else {
        this.#others.add(id)
        forgetOldest(this.#others)
        model.takeGone(asked, id)
      }
    } catch (error) {
      if (!isHoldfastError(error, 'TASK_NOT_FOUND')) throw error
      model.takeGone(asked, id)
    }
    onAnswer()
  }
}
