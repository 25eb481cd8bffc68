import type {
  Commits,
  ConversationReads,
  GateReads,
  OwnNode,
  Queue,
  Reads,
  RunReads,
  TaskReads,
} from '../../ports/store.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core. */
export type StartingNeeds = Pick<
  Core,
  | 'agents'
  | 'withLock'
  | 'apart'
  | 'brokenLaunches'
  | 'canaries'
  | 'clock'
  | 'commit'
  | 'commitSoon'
  | 'config'
  | 'driver'
  | 'endsInFlight'
  | 'findProcessesOfRun'
  | 'handoff'
  | 'ids'
  | 'log'
  | 'mcpServer'
  | 'places'
  | 'requestLook'
  | 'processes'
  | 'roles'
  | 'runFiles'
  | 'stagger'
  | 'swept'
  | 'taskFiles'
  | 'taskOfRun'
  | 'terminal'
  | 'tokens'
  | 'verifier'
  | 'waiters'
  | 'wakeAt'
  | 'watchScreens'
  | 'watched'
  | 'whenScheduled'
> &
  Reads<Commits & ConversationReads & GateReads & OwnNode & Queue & RunReads & TaskReads>
