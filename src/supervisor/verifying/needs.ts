import type {
  ConversationReads,
  GateReads,
  OwnNode,
  Queue,
  Reads,
  RunReads,
  TaskReads,
} from '../../ports/store/store.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core. */
export type VerifyingNeeds = Pick<
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
  | 'requestLook'
  | 'processes'
  | 'runFiles'
  | 'stagger'
  | 'taskFiles'
  | 'taskOfRun'
  | 'terminal'
  | 'verifier'
  | 'waiters'
  | 'watchScreens'
  | 'watched'
> &
  Reads<ConversationReads & GateReads & OwnNode & Queue & RunReads & TaskReads>
