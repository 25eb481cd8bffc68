import type { ConversationReads, GateReads, Queue, RunReads, TaskReads } from '../../ports/store.ts'
import type { Core, Reads } from '../task/core.ts'

/** What this room needs of the core. */
export type ReadingNeeds = Pick<
  Core,
  | 'alone'
  | 'canaries'
  | 'clock'
  | 'commit'
  | 'config'
  | 'driver'
  | 'ends'
  | 'findLeft'
  | 'handling'
  | 'handoff'
  | 'ids'
  | 'log'
  | 'places'
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
  Reads<ConversationReads & GateReads & Queue & RunReads & TaskReads>
