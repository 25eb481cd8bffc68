import type { RuntimeReads } from '../../ports/runtimes.ts'
import type { ConversationReads, GateReads, Queue, Reads, RunReads, TaskReads } from '../../ports/store.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core. */
export type ReadingNeeds = Pick<
  Core,
  | 'withLock'
  | 'canaries'
  | 'clock'
  | 'commit'
  | 'config'
  | 'driver'
  | 'endsInFlight'
  | 'findProcessesOfRun'
  | 'handoff'
  | 'ids'
  | 'log'
  | 'mcpServer'
  | 'requestLook'
  | 'processes'
  | 'runFiles'
  | 'stagger'
  | 'taskFiles'
  | 'taskOfRun'
  | 'terminal'
  | 'watchScreens'
  | 'watched'
> &
  Reads<ConversationReads & GateReads & Queue & RunReads & RuntimeReads & TaskReads>
