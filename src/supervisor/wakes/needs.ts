import type { OutboxReads } from '../../ports/store/outbox.ts'
import type { ConversationReads, Reads, RunReads, TaskReads, TriggerReads } from '../../ports/store/store.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core. */
export type WakesNeeds = Pick<Core, 'clock' | 'commit' | 'config' | 'driver' | 'withLock'> &
  Reads<ConversationReads & OutboxReads & RunReads & TaskReads & TriggerReads>
