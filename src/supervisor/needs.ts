import type { OrdersNeeds } from './orders/needs.ts'
import type { RecoveringNeeds } from './recovering/needs.ts'
import type { ScreensNeeds } from './screens/needs.ts'
import type { Core } from './task/core.ts'
import type { UpkeepNeeds } from './upkeep/needs.ts'
import type { WatchingNeeds } from './watching/needs.ts'

/** What one look at a task needs of the core. */
export type SupervisingNeeds = OrdersNeeds & ScreensNeeds

/** What the regular tick needs of the core. */
export type TickNeeds = RecoveringNeeds & UpkeepNeeds & WatchingNeeds & Pick<Core, 'tokens'>
