// Owns which events of tasks a reader has not acknowledged yet.
import type { JournalEvent } from '../../../domain/journal/events.ts'
import type { TaskId } from '../../../domain/names/ids.ts'
import type { JournalReads } from '../../../ports/store/journal.ts'
import type { Reads } from '../../../ports/store/store.ts'
import { inBatches } from '../../kernel/in-batches.ts'

/** One answer holds no more events than this. */
const MOST_EVENTS = 500

/** `events`: oldest first. `cursor`: the number to acknowledge when all of them were received. */
export type Unacknowledged = { readonly cursor: number; readonly events: readonly JournalEvent[] }

/** More than MOST_EVENTS events come in several answers; the `cursor` of each says how far it goes. */
export async function unacknowledged(
  cursorName: string,
  ids: readonly TaskId[],
  { store }: Reads<JournalReads>,
): Promise<Unacknowledged> {
  const after = (await store.cursor(cursorName)) ?? 0
  // Read before the events: an event that is stored in between then comes with the next answer, and is not skipped.
  const last = await store.lastSeq()
  const read = await inBatches([...new Set(ids)], (id) => store.events(after, MOST_EVENTS, id))
  // A task that filled its read may have more events: only those up to the last one read are known.
  const lastRead = read.flatMap((some) => (some.length < MOST_EVENTS ? [] : some.slice(-1)))
  const known = Math.min(last, ...lastRead.map(({ seq }) => seq))
  const matching = read.flat().filter(({ kind, seq }) => matters(kind) && seq <= known)
  const events = matching.sort((a, b) => a.seq - b.seq).slice(0, MOST_EVENTS)
  const cut = events.length < matching.length ? events.at(-1) : undefined
  return { cursor: cut?.seq ?? known, events }
}

/** False for events about single inputs: what was said to the agent, and what it heard. */
const matters = (kind: string) => kind.startsWith('task_') || /^(question|stop|restart)_/.test(kind)
