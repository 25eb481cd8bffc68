// Owns what can be asked of the journal: events after a place, and how far its readers have come.

import type { EventKind, JournalEvent } from '../domain/journal/events.ts'
import type { JournalPlace } from '../domain/journal/place.ts'
import type { TaskId } from '../domain/names/ids.ts'

export type JournalFilter = {
  readonly taskId?: TaskId
  /** Any of these; all when absent. */
  readonly kinds?: readonly EventKind[]
}

/** Some events, and the place right after them. Events that did not fit the filter are behind that place, too. */
export type JournalPart = { readonly events: readonly JournalEvent[]; readonly place: JournalPlace }

/** An event that a subscriber failed on again and again, or that waits behind such a one of the same task. */
export type SetAside = {
  readonly subscriber: string
  readonly event: JournalEvent
  readonly at: number
  /** Null for one that only waits. */
  readonly error: string | null
}

/** A reader that the journal waits for. */
export type Subscriber = {
  readonly name: string
  readonly place: JournalPlace
  /** Goes up each time somebody takes it over: the holder before can move it no more. */
  readonly epoch: number
}

export interface JournalReads {
  /** Events of this node after this number, oldest first. */
  events(after: number, most: number, taskId?: TaskId): Promise<JournalEvent[]>
  /** The number of this node's last event. */
  lastSeq(): Promise<number>
  /** The place after all that is committed. */
  journalEnd(): Promise<JournalPlace>
  /** The place before all that is kept. */
  journalStart(): Promise<JournalPlace>
  /**
   * Events of all nodes after a place; each node's in their order. JOURNAL_TRUNCATED when events after it were
   * forgotten, or when the place is of another journal, or beyond the end of this one.
   */
  journalAfter(place: JournalPlace, most: number, filter?: JournalFilter): Promise<JournalPart>
  /** The last event that a reader of this name is done with. Such cursors hold nothing back. */
  cursor(name: string): Promise<number | undefined>
  /** Never backwards. */
  moveCursor(name: string, seq: number, at: number): Promise<void>
  /** Registers it, at the end of the journal when it is new, and makes the caller its only holder. */
  takeSubscriber(name: string, at: number): Promise<Subscriber>
  /** From then on the journal does not wait for it. False when there is none. */
  dropSubscriber(name: string): Promise<boolean>
  subscribers(): Promise<Subscriber[]>
  /** In the order of the journal. */
  setAsides(subscriber: string): Promise<SetAside[]>
}
