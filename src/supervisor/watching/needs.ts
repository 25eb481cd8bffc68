import type { RunReads, TaskReads } from '../../ports/store.ts'
import type { Core, Reads } from '../task/core.ts'

/** What this room needs of the core. */
export type WatchingNeeds = Pick<
  Core,
  | 'alone'
  | 'clock'
  | 'config'
  | 'findLeft'
  | 'log'
  | 'poke'
  | 'processes'
  | 'runFiles'
  | 'taskOfRun'
  | 'terminal'
  | 'watched'
> &
  Reads<RunReads & TaskReads>
