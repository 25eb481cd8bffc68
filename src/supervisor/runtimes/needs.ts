import type { Commits } from '../../ports/store/commits.ts'
import type { RuntimeReads } from '../../ports/store/runtimes.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskNames } from '../../ports/store/tasks.ts'
import type { TriggerReads } from '../../ports/store/triggers.ts'
import type { WorkspaceReads } from '../../ports/store/workspaces.ts'
import type { OrdersNeeds } from '../orders/needs.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core. */
export type RuntimesNeeds = OrdersNeeds &
  Pick<
    Core,
    | 'agents'
    | 'apart'
    | 'brokenLaunches'
    | 'commitSoon'
    | 'mcpServer'
    | 'places'
    | 'roles'
    | 'tokens'
    | 'wakeAt'
    | 'workTree'
  > &
  Reads<Commits & RuntimeReads & TaskNames & TriggerReads & WorkspaceReads>
