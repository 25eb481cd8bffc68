import type {
  AuditReads,
  ConversationReads,
  GateReads,
  OrderReads,
  OwnNode,
  Queue,
  Reads,
  Retention,
  RunReads,
  TaskLists,
  TaskReads,
} from '../ports/store.ts'
import type { Core } from './task/core.ts'

/** What one look at a task needs of the core. */
export type SupervisingNeeds = Pick<
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
  | 'homeFiles'
  | 'ids'
  | 'log'
  | 'mcpServer'
  | 'places'
  | 'requestLook'
  | 'processes'
  | 'runFiles'
  | 'stagger'
  | 'swept'
  | 'taskFiles'
  | 'taskOfRun'
  | 'terminal'
  | 'upkeep'
  | 'verifier'
  | 'waiters'
  | 'watchScreens'
  | 'watched'
  | 'whenScheduled'
> &
  Reads<
    AuditReads &
      ConversationReads &
      GateReads &
      OrderReads &
      OwnNode &
      Queue &
      Retention &
      RunReads &
      TaskLists &
      TaskReads
  >
