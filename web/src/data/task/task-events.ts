// Owns the journal of one task, as far as it goes now.
import { createParser } from 'eventsource-parser'
import type { EventKind, JournalEvents } from '../../../../src/domain/journal/events.ts'
import { callText } from '../connection/call.ts'
import { useResource } from '../held/resource.ts'

export type TaskEvent<Kind extends EventKind> = JournalEvents[Kind] & { readonly at: number }

/** All events of one kind, oldest first. */
export const useTaskEvents = <Kind extends EventKind>(id: string, kind: Kind) =>
  useResource(['task', id, 'events', kind], async () => {
    const text = await callText('GET /api/tasks/:id/events', { id, query: { follow: '0' } })
    const events: TaskEvent<Kind>[] = []
    const parser = createParser({
      onEvent: ({ event, data }) => void (event === kind && events.push(JSON.parse(data))),
    })
    parser.feed(text)
    return events
  })
