import type { OutboxReads } from '../../ports/outbox.ts'
import type {
  AuditReads,
  ConversationReads,
  Reads,
  RunReads,
  TaskReads,
  TriggerReads,
} from '../../ports/store.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core. */
export type WakesNeeds = Pick<Core, 'clock' | 'commit' | 'config' | 'driver' | 'withLock'> &
  Reads<AuditReads & ConversationReads & OutboxReads & RunReads & TaskReads & TriggerReads>
