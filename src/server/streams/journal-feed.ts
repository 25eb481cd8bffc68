// Owns the newest events for all who follow the journal: it is read once for all of them, and each event is written down
// once. Who is further behind reads the store by itself until it is near enough.
import type { JournalPlace } from '../../domain/journal/place.ts'
import type { JournalFilter } from '../../ports/store/journal.ts'
import type { Uses } from '../context.ts'
import { eventText, type FedEvent } from './event-text.ts'
import { FeedReader } from './feed-reader.ts'

const EVENTS_PER_READ = 500
/** Readers that were cut off a moment ago find here what they have missed. */
const MOST_KEPT = 2000
/** How late events can be found that nobody announced, such as those of other nodes. */
const LOOK_AGAIN_MS = 1000
/** Events that come close together are read and sent together. */
const GATHER_MS = 10

type Needs = Uses<'journal' | 'wait', 'clock' | 'stopping'>

export class JournalFeed {
  readonly #needs: Needs
  readonly #ofAll = new Set<FeedReader>()
  readonly #ofTasks = new Map<string, Set<FeedReader>>()
  /** The place before the oldest event that is kept. */
  #start: JournalPlace | undefined
  #end: JournalPlace | undefined
  #kept: FedEvent[] = []
  /** Resolves when the first place is known; undefined while nobody listens. */
  #begun: Promise<void> | undefined

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Undefined when the place is too far behind: then read on in the store, and ask again. */
  async join(place: JournalPlace, filter: JournalFilter): Promise<FeedReader | undefined> {
    this.#begun ??= this.#begin()
    await this.#begun
    if (this.#start === undefined || !covers(this.#start, place)) return undefined
    const reader = new FeedReader(place, filter, this.#needs.clock, () => this.#leave(reader))
    for (const one of this.#kept) reader.push(one)
    // More than a reader may leave unread: from the store it comes nearer, from here it would begin again and again.
    if (reader.isTooSlow) return undefined
    const { taskId } = filter
    if (taskId === undefined) this.#ofAll.add(reader)
    else this.#ofTasks.set(taskId, (this.#ofTasks.get(taskId) ?? new Set()).add(reader))
    return reader
  }

  async #begin(): Promise<void> {
    try {
      this.#end = await this.#needs.desk.journal.end()
    } catch (error) {
      this.#begun = undefined
      throw error
    }
    this.#start = this.#end
    this.#kept = []
    void this.#read()
  }

  /** Ends when nobody listens any more, and when the daemon stops. */
  async #read(): Promise<void> {
    const { desk, clock, stopping } = this.#needs
    const news = desk.wait.newsOf(undefined)
    try {
      for (let idle = 0; idle < 2; ) {
        await news.next(LOOK_AGAIN_MS, stopping)
        if (stopping.aborted) break
        await clock.sleep(GATHER_MS)
        await this.#readNew()
        idle = this.#ofAll.size + this.#ofTasks.size > 0 ? 0 : idle + 1
      }
      this.#tellAll((reader) => reader.end())
    } catch (error) {
      this.#tellAll((reader) => reader.fail(error))
    } finally {
      news.close()
      this.#begun = undefined
      this.#start = undefined
    }
  }

  async #readNew(): Promise<void> {
    for (;;) {
      let place = this.#end as JournalPlace
      const part = await this.#needs.desk.journal.after(place, EVENTS_PER_READ, {})
      for (const event of part.events) {
        place = { ...place, at: { ...place.at, [event.nodeId]: event.seq } }
        this.#publish({ event, place, text: eventText(event, place) })
      }
      this.#end = part.place
      if (part.events.length < EVENTS_PER_READ) return
    }
  }

  #publish(one: FedEvent): void {
    this.#kept.push(one)
    if (this.#kept.length >= 2 * MOST_KEPT) {
      const [last] = this.#kept.splice(0, MOST_KEPT).slice(-1)
      this.#start = last?.place
    }
    for (const reader of this.#ofAll) reader.push(one)
    for (const reader of this.#ofTasks.get(one.event.taskId ?? '') ?? []) reader.push(one)
  }

  #tellAll(tell: (reader: FeedReader) => void): void {
    for (const reader of [...this.#ofAll, ...[...this.#ofTasks.values()].flatMap((some) => [...some])])
      tell(reader)
  }

  #leave(reader: FeedReader): void {
    this.#ofAll.delete(reader)
    const { taskId } = reader.filter
    const others = taskId === undefined ? undefined : this.#ofTasks.get(taskId)
    others?.delete(reader)
    if (taskId !== undefined && others?.size === 0) this.#ofTasks.delete(taskId)
  }
}

/** Whether everything after `place` is also after `start`. */
const covers = (start: JournalPlace, place: JournalPlace) =>
  start.generation === place.generation &&
  Object.entries(start.at).every(([node, seq]) => (place.at[node as keyof typeof place.at] ?? 0) >= seq)
