import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { TriggerReads } from '../../ports/store/triggers.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core. */
export type TriggersNeeds = Pick<
  Core,
  'clock' | 'commit' | 'config' | 'requestLook' | 'watchScreens' | 'watched' | 'withLock'
> &
  Reads<ConversationReads & RunReads & TaskReads & TriggerReads>
