// Owns reading the journal on behalf of other rooms, and storing how far its readers have read.
import type { JournalEvent } from '../../../domain/journal/events.ts'
import type { JournalPlace } from '../../../domain/journal/place.ts'
import type { TaskId } from '../../../domain/names/ids.ts'
import type {
  JournalFilter,
  JournalPart,
  JournalReaders,
  JournalReads,
} from '../../../ports/store/journal.ts'
import type { Reads } from '../../../ports/store/store.ts'
import type { Core } from '../../task/core.ts'

export const journalDesk = ({
  store,
  clock,
}: Pick<Core, 'clock'> & Reads<JournalReads & Pick<JournalReaders, 'moveCursor'>>) => ({
  /** The place before the oldest event that is kept. */
  start: (): Promise<JournalPlace> => store.journalStart(),
  /** The place after the last event that is committed. */
  end: (): Promise<JournalPlace> => store.journalEnd(),
  /** Events of all nodes. Throws JOURNAL_TRUNCATED when events after the place are no longer kept, or when it is a place of another journal. */
  after: (place: JournalPlace, most: number, filter: JournalFilter): Promise<JournalPart> =>
    store.journalAfter(place, most, filter),
  /** Events of one task after this number, oldest first. */
  eventsOf: (id: TaskId, after: number, most: number): Promise<JournalEvent[]> =>
    store.events(after, most, id),

  /** Stores that a reader has received everything up to this event. False, and nothing is stored, when there is no such event yet. */
  async acknowledge(cursorName: string, seq: number): Promise<boolean> {
    // A number beyond the last event would hide events that are still to come.
    if (seq > (await store.lastSeq())) return false
    await store.moveCursor(cursorName, seq, clock.now())
    return true
  },
})
