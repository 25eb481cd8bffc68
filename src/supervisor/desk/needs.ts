import type { JournalReads } from '../../ports/journal.ts'
import type { NoticeReads } from '../../ports/notices.ts'
import type { RuntimeReads } from '../../ports/runtimes.ts'
import type {
  AuditReads,
  Commits,
  ConversationReads,
  GateReads,
  OrderReads,
  OwnNode,
  Queue,
  Reads,
  Retention,
  RunReads,
  TaskLists,
  TaskNames,
  TaskReads,
  TriggerReads,
  WorkspaceReads,
} from '../../ports/store.ts'
import type { ThreadReads } from '../../ports/threads.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core. */
export type DeskNeeds = Pick<
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
  | 'homeFiles'
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
  | 'upkeep'
  | 'verifier'
  | 'waiters'
  | 'wakeAt'
  | 'watchScreens'
  | 'watched'
  | 'whenScheduled'
> &
  Reads<
    AuditReads &
      Commits &
      ConversationReads &
      TriggerReads &
      GateReads &
      JournalReads &
      NoticeReads &
      OrderReads &
      OwnNode &
      Queue &
      Retention &
      RunReads &
      RuntimeReads &
      TaskLists &
      TaskNames &
      TaskReads &
      ThreadReads &
      WorkspaceReads
  >
