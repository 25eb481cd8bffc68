import type { JournalEvent } from '../../domain/journal/events.ts'
import { type JournalPlace, placeText } from '../../domain/journal/place.ts'

/** An event, with the place behind it, and as it is sent to readers that have read everything before it. */
export type FedEvent = { readonly event: JournalEvent; readonly place: JournalPlace; readonly text: string }

/** A server-sent event. JSON has no line breaks of its own. */
export const eventText = (
  { seq, nodeId, at, kind, taskId, data }: JournalEvent,
  place: JournalPlace,
): string =>
  `id: ${placeText(place)}\nevent: ${kind}\ndata: ${JSON.stringify({ seq, node: nodeId, at, task: taskId, ...data })}\n\n`
