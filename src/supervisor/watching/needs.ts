import type { Reads, RunReads, TaskReads } from '../../ports/store/store.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core. */
export type WatchingNeeds = Pick<
  Core,
  | 'withLock'
  | 'clock'
  | 'config'
  | 'findProcessesOfRun'
  | 'log'
  | 'requestLook'
  | 'processes'
  | 'runFiles'
  | 'taskOfRun'
  | 'terminal'
  | 'watched'
> &
  Reads<RunReads & TaskReads>
