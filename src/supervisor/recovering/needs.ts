import type { GateReads, Queue, RunReads, TaskReads } from '../../ports/store.ts'
import type { Core, Reads } from '../task/core.ts'

/** What this room needs of the core. */
export type RecoveringNeeds = Pick<
  Core,
  | 'alone'
  | 'canaries'
  | 'clock'
  | 'commit'
  | 'config'
  | 'ends'
  | 'findLeft'
  | 'handoff'
  | 'ids'
  | 'log'
  | 'poke'
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
