// Owns what happened to tasks since a reader last said what it has received.
import type { JournalEvent } from '../../domain/journal/events.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import type { JournalReads } from '../../ports/journal.ts'
import type { Reads } from '../../ports/store.ts'
import { inTurns } from '../kernel/in-turns.ts'

/** In one answer. */
const MOST_EVENTS = 500

/** Oldest first, and where the cursor stands when all of it is known. */
export type Unacknowledged = { readonly cursor: number; readonly events: readonly JournalEvent[] }

/** Very much of it comes in several answers: the cursor says how far this one goes. */
export async function unacknowledged(
  cursorName: string,
  ids: readonly TaskId[],
  { store }: Reads<JournalReads>,
): Promise<Unacknowledged> {
  const after = (await store.cursor(cursorName)) ?? 0
  // Before the events are read: one that is stored meanwhile comes with the next answer, not with none.
  const last = await store.lastSeq()
  const read = await inTurns([...new Set(ids)], (id) => store.events(after, MOST_EVENTS, id))
  // Of a task with more than were read, nothing is known after the last of them.
  const lastRead = read.flatMap((some) => (some.length < MOST_EVENTS ? [] : some.slice(-1)))
  const known = Math.min(last, ...lastRead.map(({ seq }) => seq))
  const matching = read.flat().filter(({ kind, seq }) => matters(kind) && seq <= known)
  const events = matching.sort((a, b) => a.seq - b.seq).slice(0, MOST_EVENTS)
  const cut = events.length < matching.length ? events.at(-1) : undefined
  return { cursor: cut?.seq ?? known, events }
}

/** Not what was said to the agent and heard by it, line by line. */
const matters = (kind: string) => kind.startsWith('task_') || /^(question|stop|restart)_/.test(kind)
