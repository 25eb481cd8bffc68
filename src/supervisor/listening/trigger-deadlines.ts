// Owns that deadlines of triggers are set when a trigger begins to wait for something.
import type { EventKind } from '../../domain/journal/events.ts'
import type { JournalListener } from '../kernel/journal.ts'

const BEGINS_TO_WAIT: ReadonlySet<EventKind> = new Set([
  'trigger_deferred',
  'trigger_typed',
  'trigger_submitted',
  'trigger_fell_back',
])

export const triggerDeadlines = (look: () => void): JournalListener => ({
  name: 'trigger deadlines',
  hear: ({ events }) => {
    if (events.some(({ kind }) => BEGINS_TO_WAIT.has(kind))) look()
  },
})
