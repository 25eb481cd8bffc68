import type { JournalPlace } from '../../domain/journal/place.ts'
import type { NodeId } from '../../domain/names/ids.ts'
import type { Clock } from '../../ports/clock.ts'
import type { JournalFilter } from '../../ports/store/journal.ts'
import { eventText, type FedEvent } from './event-text.ts'

/** What a reader that does not read may leave here; then it goes on in the store, and costs nobody any memory. */
const MOST_WAITING = 1000

/** One who follows the journal: what is to be sent to it next. */
export class FeedReader {
  readonly filter: JournalFilter
  readonly close: () => void
  readonly #clock: Pick<Clock, 'after'>
  #place: JournalPlace
  #waiting: FedEvent[] = []
  #isTooSlow = false
  #isOver = false
  #error: unknown
  #wake = () => {}

  constructor(place: JournalPlace, filter: JournalFilter, clock: Pick<Clock, 'after'>, close: () => void) {
    this.#place = place
    this.filter = filter
    this.#clock = clock
    this.close = close
  }

  push(one: FedEvent): void {
    const { seq, nodeId, kind, taskId } = one.event
    const isNew = seq > (this.#place.at[nodeId] ?? 0)
    const { kinds, taskId: wanted } = this.filter
    if (!isNew || this.#isTooSlow || (wanted !== undefined && wanted !== taskId)) return
    if (kinds !== undefined && !kinds.includes(kind)) return
    if (this.#waiting.length >= MOST_WAITING) {
      this.#isTooSlow = true
      this.#waiting = []
    } else this.#waiting.push(one)
    this.#wake()
  }

  fail(error: unknown): void {
    this.#error = error
    this.#wake()
  }

  /** Nothing more will come. */
  end(): void {
    this.#isOver = true
    this.#wake()
  }

  /**
   * What is to be sent, in one piece; empty when the time is up or nothing more will come; undefined when the reader was
   * too slow: it goes on in the store, after `place`. Throws what kept the journal from being read.
   */
  async next(ms: number): Promise<string | undefined> {
    if (this.#waiting.length === 0 && !this.#isTooSlow && !this.#isOver && this.#error === undefined)
      await this.#news(ms)
    if (this.#error !== undefined) throw this.#error
    return this.#isTooSlow
      ? undefined
      : this.#waiting
          .splice(0)
          .map((one) => this.#take(one))
          .join('')
  }

  /** More was left here than a reader may leave. */
  get isTooSlow(): boolean {
    return this.#isTooSlow
  }

  /** Behind the last event that was taken. */
  get place(): JournalPlace {
    return this.#place
  }

  /** A reader that came from the store may be ahead of the others at some node: then the place is its own. */
  #take({ event, place, text }: FedEvent): string {
    const isAhead = Object.entries(this.#place.at).some(
      ([node, seq]) => seq > (place.at[node as NodeId] ?? 0),
    )
    this.#place = isAhead ? { ...this.#place, at: { ...this.#place.at, [event.nodeId]: event.seq } } : place
    return isAhead ? eventText(event, this.#place) : text
  }

  #news(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#wake = () => {}
        cancel()
        resolve()
      }
      const cancel = this.#clock.after(ms, done)
      this.#wake = done
    })
  }
}
