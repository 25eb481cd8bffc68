import type { AuditReads } from '../../ports/store/audit.ts'
import type { Retention } from '../../ports/store/retention.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { OwnNode, Reads } from '../../ports/store/store.ts'
import type { TaskLists } from '../../ports/store/task-lists.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core. */
export type UpkeepNeeds = Pick<
  Core,
  | 'withLock'
  | 'clock'
  | 'commit'
  | 'config'
  | 'findProcessesOfRun'
  | 'handoff'
  | 'homeFiles'
  | 'log'
  | 'requestLook'
  | 'processes'
  | 'runFiles'
  | 'taskFiles'
  | 'taskOfRun'
  | 'terminal'
  | 'upkeep'
  | 'watchScreens'
  | 'watched'
> &
  Reads<AuditReads & OwnNode & Retention & RunReads & TaskLists & TaskReads>
