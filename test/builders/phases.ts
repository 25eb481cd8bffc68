// Every way a task can stand. Tests put a task in a phase with these, so that its fields are spelled here only.
import type { GoOn } from '../../src/domain/task/go-on.ts'
import type { Phase, TaskStatus } from '../../src/domain/task/machine.ts'
import type { TaskSummary } from '../../src/domain/task/task.ts'

export type Standing = Pick<TaskSummary, 'status' | 'phase' | 'phaseUntil' | 'gate' | 'goOn'>

type GoesOn = { readonly goOn?: GoOn }
type Waits = GoesOn & { readonly until?: number; readonly gate?: string }
type Waited = { readonly [Field in keyof Waits]: Waits[Field] | null }

export const inPhase = {
  queued: (how?: GoesOn) => standing('pending', 'queued', how),
  starting: (how?: GoesOn) => standing('running', 'starting', how),
  working: (how?: GoesOn) => standing('running', 'working', how),
  idle: () => standing('running', 'idle'),
  asking: () => standing('waiting_input', 'asking'),
  backingOff: (how?: Waits) => standing('running', 'backing_off', how),
  parked: (how?: Waits) => standing('running', 'parked', how),
  stuck: () => standing('running', 'stuck'),
  /** Stuck, and a person is asked what to do. */
  escalated: () => standing('waiting_input', 'stuck'),
  verifying: () => standing('running', 'verifying'),
  stoppedByPerson: () => standing('waiting_input', 'stopped_by_person'),
}

export const ended = {
  completed: () => standing('completed', null),
  failed: () => standing('failed', null),
  cancelled: () => standing('cancelled', null),
}

const standing = (status: TaskStatus, phase: Phase | null, { until, gate, goOn }: Waits = {}): Standing => ({
  status,
  phase,
  phaseUntil: until ?? null,
  gate: gate ?? null,
  goOn: goOn ?? null,
})

/** What a move sets of that, or a stored task is expected to have; null takes it away, and the rest stays. */
export const waits = ({
  until,
  gate,
  goOn,
}: Waited): Partial<Pick<Standing, 'phaseUntil' | 'gate' | 'goOn'>> => ({
  ...(until === undefined ? {} : { phaseUntil: until }),
  ...(gate === undefined ? {} : { gate }),
  ...(goOn === undefined ? {} : { goOn }),
})
