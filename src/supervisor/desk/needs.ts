import type { AuditReads } from '../../ports/store/audit.ts'
import type { Commits } from '../../ports/store/commits.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { GateReads } from '../../ports/store/gates.ts'
import type { JournalReads } from '../../ports/store/journal.ts'
import type { NoticeReads } from '../../ports/store/notices.ts'
import type { OrderReads } from '../../ports/store/orders.ts'
import type { Queue } from '../../ports/store/queue.ts'
import type { RequestKeyReads } from '../../ports/store/request-keys.ts'
import type { Retention } from '../../ports/store/retention.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { RuntimeReads } from '../../ports/store/runtimes.ts'
import type { OwnNode, Reads } from '../../ports/store/store.ts'
import type { TaskLists } from '../../ports/store/task-lists.ts'
import type { TaskNames, TaskReads } from '../../ports/store/tasks.ts'
import type { ThreadReads } from '../../ports/store/threads.ts'
import type { TriggerReads } from '../../ports/store/triggers.ts'
import type { WorkspaceReads } from '../../ports/store/workspaces.ts'
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
  | 'workTree'
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
      RequestKeyReads &
      Retention &
      RunReads &
      RuntimeReads &
      TaskLists &
      TaskNames &
      TaskReads &
      ThreadReads &
      WorkspaceReads
  >
