import type { Reads, RunReads, TaskReads } from '../../ports/store/store.ts'
import type { Core } from './core.ts'

/** What this room needs of the core. */
export type TaskNeeds = Pick<
  Core,
  | 'clock'
  | 'commit'
  | 'findProcessesOfRun'
  | 'handoff'
  | 'log'
  | 'requestLook'
  | 'processes'
  | 'runFiles'
  | 'taskFiles'
  | 'taskOfRun'
  | 'terminal'
  | 'watchScreens'
  | 'watched'
> &
  Reads<RunReads & TaskReads>
