import type { RuntimeReads } from '../../ports/runtimes.ts'
import type { Commits, Reads, TaskNames, TriggerReads, WorkspaceReads } from '../../ports/store.ts'
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
