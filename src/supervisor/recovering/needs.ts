import type { GateReads } from '../../ports/store/gates.ts'
import type { Queue } from '../../ports/store/queue.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core. */
export type RecoveringNeeds = Pick<
  Core,
  | 'withLock'
  | 'canaries'
  | 'clock'
  | 'commit'
  | 'config'
  | 'endsInFlight'
  | 'findProcessesOfRun'
  | 'handoff'
  | 'ids'
  | 'log'
  | 'requestLook'
  | 'processes'
  | 'runFiles'
  | 'stagger'
  | 'taskFiles'
  | 'taskOfRun'
  | 'terminal'
  | 'watchScreens'
  | 'watched'
> &
  Reads<GateReads & Queue & RunReads & TaskReads>
