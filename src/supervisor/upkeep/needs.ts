import type {
  AuditReads,
  OwnNode,
  Reads,
  Retention,
  RunReads,
  TaskLists,
  TaskReads,
} from '../../ports/store/store.ts'
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
