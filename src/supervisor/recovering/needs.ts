import type { GateReads } from '../../ports/store/gates.ts'
import type { Queue } from '../../ports/store/queue.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { Core } from '../task/core.ts'
import type { TaskNeeds } from '../task/needs.ts'

/** What this room needs of the core: what the rooms that it builds on need, and what it adds. */
export type RecoveringNeeds = TaskNeeds &
  Pick<Core, 'withLock' | 'canaries' | 'config' | 'endsInFlight' | 'ids' | 'ownTerms' | 'stagger'> &
  Reads<GateReads & Queue>
