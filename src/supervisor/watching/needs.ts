import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core. */
export type WatchingNeeds = Pick<
  Core,
  | 'withLock'
  | 'clock'
  | 'config'
  | 'findProcessesOfRun'
  | 'log'
  | 'ownTerms'
  | 'requestLook'
  | 'processes'
  | 'runFiles'
  | 'taskOfRun'
  | 'terminal'
  | 'watched'
> &
  Reads<RunReads & TaskReads>
