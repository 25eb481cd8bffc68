// Every way a task can stand. Tests put a task in a phase with these, so that its fields are spelled here only.
import type { GoOn } from '../../src/domain/task/go-on.ts'
import type { TaskEvent } from '../../src/domain/task/machine.ts'
import type {
  BackingOffState,
  ParkedState,
  PersonState,
  PhaseChange,
  QueuedState,
  TaskState,
  WaitingState,
} from '../../src/domain/task/state.ts'
import { NOON } from './ids.ts'

export const GO_ON: GoOn = { how: 'resume', say: 'go on' }

type Running = Extract<TaskState, { status: 'running' }>['phase']
const running = <In extends Running>(phase: In) => ({ status: 'running', phase }) as const
const asksPerson = (phase: PersonState['phase'], question: number | null = 1): PersonState => ({
  status: 'waiting_input',
  phase,
  question,
})

export const inPhase = {
  queued: ({ goOn = null }: Partial<QueuedState> = {}): QueuedState => ({
    status: 'pending',
    phase: 'queued',
    goOn,
  }),
  starting: (): TaskState => running('starting'),
  working: (): TaskState => running('working'),
  idle: (): TaskState => running('idle'),
  asking: (question?: number | null) => asksPerson('asking', question),
  backingOff: (how: Partial<BackingOffState> = {}): BackingOffState => ({
    ...running('backing_off'),
    until: NOON,
    goOn: GO_ON,
    ...how,
  }),
  parked: (how: Partial<ParkedState> = {}): ParkedState => ({
    ...running('parked'),
    until: NOON,
    gate: null,
    goOn: GO_ON,
    ...how,
  }),
  waiting: (how: Partial<WaitingState> = {}): WaitingState => ({
    ...running('waiting'),
    for: { kind: 'children' },
    goOn: GO_ON,
    ...how,
  }),
  stuck: (): TaskState => running('stuck'),
  /** Stuck, and a person is asked what to do. */
  escalated: () => asksPerson('stuck'),
  verifying: (): TaskState => running('verifying'),
  stoppedByPerson: () => asksPerson('stopped_by_person'),
}

export const ended = {
  completed: () => ({ status: 'completed', phase: null }) as const,
  failed: () => ({ status: 'failed', phase: null }) as const,
  cancelled: () => ({ status: 'cancelled', phase: null }) as const,
}

/** An event with all that its phase has to know. */
export function phaseChange(event: TaskEvent): PhaseChange {
  switch (event) {
    case 'requeued':
    case 'reopened':
      return { event, goOn: GO_ON }
    case 'backed_off':
      return { event, until: NOON, goOn: GO_ON }
    case 'parked':
      return { event, until: NOON, gate: null, goOn: GO_ON }
    case 'waiting_began':
      return { event, for: { kind: 'children' }, goOn: GO_ON }
    default:
      return { event }
  }
}

/** Of a stored task, how it stands, and nothing else. */
export function stateIn(task: TaskState | undefined): object | undefined {
  if (task === undefined) return undefined
  const known = ['status', 'phase', 'until', 'gate', 'goOn', 'for', 'question']
  return Object.fromEntries(Object.entries(task).filter(([name]) => known.includes(name)))
}
