import type { AuditReads } from '../../ports/store/audit.ts'
import type { ArchiveReads, Pruning } from '../../ports/store/retention.ts'
import type { OwnNode, Reads } from '../../ports/store/store.ts'
import type { TaskLists } from '../../ports/store/task-lists.ts'
import type { Core } from '../task/core.ts'
import type { TaskNeeds } from '../task/needs.ts'

/** What this room needs of the core: what the rooms that it builds on need, and what it adds. */
export type UpkeepNeeds = TaskNeeds &
  Pick<Core, 'withLock' | 'config' | 'homeFiles' | 'upkeep'> &
  Reads<AuditReads & OwnNode & ArchiveReads & Pruning & TaskLists>
