import type { RuntimeReads } from '../../ports/store/runtimes.ts'
import type {
  ConversationReads,
  GateReads,
  OwnNode,
  Queue,
  Reads,
  RunReads,
  TaskReads,
  TriggerReads,
} from '../../ports/store/store.ts'
import type { ThreadReads } from '../../ports/store/threads.ts'
import type { Core } from '../task/core.ts'

/** What is read to judge an end. */
export type EndReads = ConversationReads &
  GateReads &
  OwnNode &
  Queue &
  RunReads &
  RuntimeReads &
  TaskReads &
  ThreadReads &
  TriggerReads

/** What this room needs of the core. */
export type EndingNeeds = Pick<
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
  | 'swept'
  | 'taskFiles'
  | 'taskOfRun'
  | 'terminal'
  | 'verifier'
  | 'waiters'
  | 'watchScreens'
  | 'watched'
> &
  Reads<EndReads>
