import type { AuditReads } from '../ports/store/audit.ts'
import type { OrderReads } from '../ports/store/orders.ts'
import type { RequestKeyReads } from '../ports/store/request-keys.ts'
import type { Retention } from '../ports/store/retention.ts'
import type { Reads } from '../ports/store/store.ts'
import type { TaskLists } from '../ports/store/task-lists.ts'
import type { EndReads } from './ending/needs.ts'
import type { RecoveringNeeds } from './recovering/needs.ts'
import type { Core } from './task/core.ts'
import type { UpkeepNeeds } from './upkeep/needs.ts'
import type { WatchingNeeds } from './watching/needs.ts'

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
  Reads<AuditReads & EndReads & OrderReads & RequestKeyReads & Retention & TaskLists>

/** What the regular tick needs of the core. */
export type TickNeeds = RecoveringNeeds &
  UpkeepNeeds &
  WatchingNeeds &
  Pick<Core, 'handoff' | 'requestLook' | 'tokens'>
