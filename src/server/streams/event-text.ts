// Owns an event of the journal as it is sent to readers of a stream.
import type { JournalEvent } from '../../domain/journal/events.ts'
import { type JournalPlace, placeText } from '../../domain/journal/place.ts'

/** An event, with the place behind it, and as it is sent to readers that have read everything before it. */
export type FedEvent = { readonly event: JournalEvent; readonly place: JournalPlace; readonly text: string }

/** A server-sent event. JSON has no line breaks of its own. */
export const eventText = (event: JournalEvent, place: JournalPlace): string =>
  `id: ${placeText(place)}\nevent: ${event.kind}\ndata: ${JSON.stringify(eventData(event))}\n\n`

/** What is sent of every event, with what its kind tells. */
export const eventData = ({ seq, nodeId, at, taskId, cause, depth, data }: JournalEvent) => ({
  seq,
  node: nodeId,
  at,
  task: taskId,
  cause: cause && { node: cause.nodeId, seq: cause.seq },
  depth,
  ...data,
})
