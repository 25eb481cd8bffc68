import type { AuditReads } from '../../ports/store/audit.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { JournalReads } from '../../ports/store/journal.ts'
import type { OutboxReads } from '../../ports/store/outbox.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { TriggerReads } from '../../ports/store/triggers.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core. */
export type WakesNeeds = Pick<Core, 'clock' | 'commit' | 'config' | 'driver' | 'ownTerms' | 'withLock'> &
  Reads<
    AuditReads &
      ConversationReads &
      Pick<JournalReads, 'journalAfter' | 'journalEnd'> &
      OutboxReads &
      RunReads &
      TaskReads &
      TriggerReads
  >
