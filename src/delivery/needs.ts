import type { ConversationReads, RunReads, TaskReads } from '../ports/store.ts'
import type { Core, Reads } from '../supervisor/task/core.ts'

/** What this room needs of the core. */
export type SpeakingNeeds = Pick<
  Core,
  | 'withLock'
  | 'clock'
  | 'commit'
  | 'driver'
  | 'findLeft'
  | 'handoff'
  | 'log'
  | 'requestLook'
  | 'processes'
  | 'runFiles'
  | 'taskFiles'
  | 'taskOfRun'
  | 'terminal'
  | 'watchScreens'
  | 'watched'
> &
  Reads<ConversationReads & RunReads & TaskReads>
