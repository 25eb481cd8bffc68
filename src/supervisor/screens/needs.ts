import type { RuntimeReads } from '../../ports/runtimes.ts'
import type {
  ConversationReads,
  GateReads,
  Queue,
  Reads,
  RunReads,
  TaskReads,
  TriggerReads,
} from '../../ports/store.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core. */
export type ScreensNeeds = Pick<
  Core,
  | 'withLock'
  | 'canaries'
  | 'clock'
  | 'commit'
  | 'config'
  | 'driver'
  | 'endsInFlight'
  | 'findProcessesOfRun'
  | 'handling'
  | 'handoff'
  | 'ids'
  | 'log'
  | 'mcpServer'
  | 'places'
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
  Reads<ConversationReads & GateReads & Queue & RunReads & RuntimeReads & TaskReads & TriggerReads>
