// Owns appending to the journal: each node counts its own events, without gaps and in the order of their commits.
import { causedBy } from '../../domain/journal/cause.ts'
import type { EventDraft, JournalEvent } from '../../domain/journal/events.ts'
import { EVENT_SEQ } from '../database/counter-names.ts'
import type { Writing } from '../database/holding.ts'
import { addToCounter } from './counters.ts'

/** Adds an event to the transaction; it is written at its end. */
export function appendEvent({ events, tasks }: Writing, event: EventDraft): void {
  events.push(event)
  if (event.taskId !== null) tasks.add(event.taskId)
}

/** The counter's row stays locked until the commit, so that events become visible in the order of their numbers. */
export async function writeEvents({ tx, nodeId, events, cause }: Writing): Promise<JournalEvent[]> {
  if (events.length === 0) return []
  const caused = causedBy(cause)
  const last = await addToCounter(tx, nodeId, EVENT_SEQ, events.length)
  const first = last - events.length + 1
  const numbered = events.map((event, at) => ({ ...event, ...caused, seq: first + at, nodeId }))
  await tx.insertInto('events').values(numbered.map(rowOf)).execute()
  return numbered
}

const rowOf = ({ cause, data, ...event }: JournalEvent) => ({
  ...event,
  data: JSON.stringify(data),
  causeNode: cause?.nodeId ?? null,
  causeSeq: cause?.seq ?? null,
})
