import type { JournalReads } from '../../ports/store/journal.ts'
import type { NoticeReads } from '../../ports/store/notices.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskNames } from '../../ports/store/tasks.ts'
import type { WorkspaceReads } from '../../ports/store/workspaces.ts'
import type { OrdersNeeds } from '../orders/needs.ts'
import type { StartingNeeds } from '../starting/needs.ts'

/** What this room needs of the core: what the rooms that it builds on need, and what it adds. */
export type DeskNeeds = OrdersNeeds &
  StartingNeeds &
  Reads<JournalReads & NoticeReads & TaskNames & WorkspaceReads>
