// Owns what people are told of the readers of the journal that may miss nothing: each with an event, and a row in the audit.
import type { HandledEvent } from '../domain/journal/cause.ts'
import { causeOfNotice } from '../domain/journal/cause.ts'
import type { JournalEvent } from '../domain/journal/events.ts'
import { redactSecrets } from '../domain/text/redact-secrets.ts'
import type { AuditEntry } from '../ports/store/audit.ts'
import type { Change } from '../ports/store/commits.ts'

type News = Pick<Change, 'event' | 'audit' | 'cause'>

/** Nothing for an event that is such news itself: a subscriber that cannot handle it would make more of it without end. The log tells of it. */
export function newsOfSetAside(subscriber: string, event: JournalEvent, error: string, at: number): News {
  if (event.kind === 'event_set_aside') return {}
  const { nodeId: node, seq, kind, taskId: task } = event
  const why = redactSecrets(error)
  return {
    // Of no task: later events of its task wait behind the one that was set aside, and this must not.
    event: {
      at,
      kind: 'event_set_aside',
      taskId: null,
      data: { subscriber, event: { node, seq, kind, task }, why },
    },
    audit: audit(
      at,
      'event_set_aside',
      task,
      `${subscriber}: event ${seq} (${kind}) of node ${node}: ${why}`,
    ),
    cause: causeOfNotice(event satisfies HandledEvent),
  }
}

/** `missed`: how many events; null when that cannot be told, because its place was one of another journal. */
export const newsOfMissed = (subscriber: string, missed: number | null, at: number): News => ({
  event: { at, kind: 'subscriber_missed_events', taskId: null, data: { subscriber, missed } },
  audit: audit(
    at,
    'subscriber_missed_events',
    null,
    `${subscriber}: ${missed ?? 'an unknown number of'} events`,
  ),
})

export const newsOfPruningHeld = (subscribers: readonly string[], at: number): News => ({
  event: { at, kind: 'pruning_held', taskId: null, data: { subscribers } },
  audit: audit(at, 'pruning_held', null, subscribers.join(', ')),
})

const audit = (at: number, kind: AuditEntry['kind'], taskId: AuditEntry['taskId'], detail: string) => ({
  at,
  kind,
  taskId,
  actor: 'holdfast',
  detail,
})
