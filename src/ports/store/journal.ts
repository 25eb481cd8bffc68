// Owns what can be asked of the journal: events after a place, and how far its readers have come.

import type { EventKind, JournalEvent } from '../../domain/journal/events.ts'
import type { JournalPlace } from '../../domain/journal/place.ts'
import type { NodeId, TaskId } from '../../domain/names/ids.ts'

export type JournalFilter = {
  readonly taskId?: TaskId
  /** Events of any of these kinds; of all kinds when absent. */
  readonly kinds?: readonly EventKind[]
  /** Events of this node alone; of all nodes when absent. */
  readonly nodeId?: NodeId
}

/** Some events, and the place after them. Events that did not match the filter are counted as read, too. */
export type JournalPart = { readonly events: readonly JournalEvent[]; readonly place: JournalPlace }

/**
 * An event that a subscriber could not handle after several tries, or a later event of the same task, which waits
 * behind it.
 */
export type SetAside = {
  readonly subscriber: string
  readonly event: JournalEvent
  /** Epoch ms at which the event was set aside. */
  readonly at: number
  /** Null for an event that only waits behind another one. */
  readonly error: string | null
}

/** A reader whose unread events the journal keeps. */
export type Subscriber = {
  readonly name: string
  readonly place: JournalPlace
  /** Goes up each time the subscriber is taken over: earlier holders can then no longer move its place. */
  readonly epoch: number
}

export interface JournalReads {
  /** Events of this node with a number above `after`, oldest first. */
  events(after: number, most: number, taskId?: TaskId): Promise<JournalEvent[]>
  /** The number of this node's last event. */
  lastSeq(): Promise<number>
  /** The place after all committed events. */
  journalEnd(): Promise<JournalPlace>
  /** The place before all events that are still kept. */
  journalStart(): Promise<JournalPlace>
  /**
   * Events of all nodes after a place; the events of each node are in their order. JOURNAL_TRUNCATED when events after
   * the place were deleted, or when the place belongs to another journal or lies beyond the end of this one.
   */
  journalAfter(place: JournalPlace, most: number, filter?: JournalFilter): Promise<JournalPart>
  /** The number of the last event that a reader of this name has received. Events are not kept for cursors. */
  cursor(name: string): Promise<number | undefined>
  subscribers(): Promise<Subscriber[]>
  /** The events that this subscriber has set aside, or that all have, in the order of the journal. */
  setAsides(subscriber?: string): Promise<SetAside[]>
  /** How many events each subscriber has set aside; those without any are left out. */
  setAsideCounts(): Promise<{ readonly subscriber: string; readonly count: number }[]>
}

/** Writes beside `commit`: who reads the journal, and how far. They append no event, so nobody has to hear of them. */
export interface JournalReaders {
  /** A cursor never moves back. */
  moveCursor(name: string, seq: number, at: number): Promise<void>
  /** Makes the caller the only holder of this subscriber. A new subscriber begins at the end of the journal. */
  takeSubscriber(name: string, at: number): Promise<Subscriber>
  /** Afterwards the journal keeps no events for this subscriber. False when there is no such subscriber. */
  dropSubscriber(name: string): Promise<boolean>
}
