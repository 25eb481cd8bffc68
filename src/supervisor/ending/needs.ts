import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { GateReads } from '../../ports/store/gates.ts'
import type { Queue } from '../../ports/store/queue.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { RuntimeReads } from '../../ports/store/runtimes.ts'
import type { OwnNode, Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { ThreadReads } from '../../ports/store/threads.ts'
import type { TriggerReads } from '../../ports/store/triggers.ts'
import type { Core } from '../task/core.ts'

/** What is read to judge an end. */
export type EndReads = ConversationReads &
  GateReads &
  OwnNode &
  Queue &
  RunReads &
  RuntimeReads &
  TaskReads &
  ThreadReads &
  TriggerReads

/** What this room needs of the core. */
export type EndingNeeds = Pick<
  Core,
  | 'withLock'
  | 'canaries'
  | 'clock'
  | 'commit'
  | 'config'
  | 'driver'
  | 'endsInFlight'
  | 'findProcessesOfRun'
  | 'handoff'
  | 'ids'
  | 'log'
  | 'requestLook'
  | 'processes'
  | 'runFiles'
  | 'stagger'
  | 'swept'
  | 'taskFiles'
  | 'taskOfRun'
  | 'terminal'
  | 'verifier'
  | 'waiters'
  | 'watchScreens'
  | 'watched'
> &
  Reads<EndReads>
