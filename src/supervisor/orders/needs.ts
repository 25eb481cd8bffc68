import type { NodeReads } from '../../ports/store/nodes.ts'
import type { OrderReads } from '../../ports/store/orders.ts'
import type { RequestKeyReads } from '../../ports/store/request-keys.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { EndingNeeds } from '../ending/needs.ts'
import type { Core } from '../task/core.ts'
import type { UpkeepNeeds } from '../upkeep/needs.ts'

/** What this room needs of the core: what the rooms that it builds on need, and what it adds. */
export type OrdersNeeds = EndingNeeds &
  UpkeepNeeds &
  Pick<Core, 'whenScheduled'> &
  Reads<NodeReads & OrderReads & RequestKeyReads>
