import type { RuntimeReads } from '../../ports/store/runtimes.ts'
import type { Commits, Reads, TaskNames, TriggerReads, WorkspaceReads } from '../../ports/store/store.ts'
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
  > &
  Reads<Commits & RuntimeReads & TaskNames & TriggerReads & WorkspaceReads>
