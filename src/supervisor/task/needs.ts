import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
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
