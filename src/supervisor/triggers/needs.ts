import type { ConversationReads, Reads, TaskReads, TriggerReads } from '../../ports/store/store.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core. */
export type TriggersNeeds = Pick<
  Core,
  'clock' | 'commit' | 'config' | 'requestLook' | 'watchScreens' | 'watched' | 'withLock'
> &
  Reads<ConversationReads & TaskReads & TriggerReads>
