// Owns how a task's status and phase change. The diagram in docs/ARCHITECTURE.md is made from the table.

export const TASK_STATUSES = [
  'pending',
  'running',
  'waiting_input',
  'completed',
  'failed',
  'cancelled',
] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

export const PHASES = [
  'queued',
  'starting',
  'working',
  'idle',
  'asking',
  'backing_off',
  'parked',
  'waiting',
  'stuck',
  'verifying',
  'stopped_by_person',
] as const
export type Phase = (typeof PHASES)[number]

export type TaskEvent =
  | 'created'
  | 'launched'
  | 'agent_started'
  | 'question_asked'
  | 'question_settled'
  | 'turn_finished'
  | 'turn_began'
  | 'prompt_waits'
  | 'requeued'
  | 'backed_off'
  | 'parked'
  | 'waiting_began'
  | 'person_stopped'
  | 'stuck_seen'
  | 'escalated'
  | 'verifying'
  | 'reopened'
  | 'completed'
  | 'failed'
  | 'cancelled'

/** `new`: the task does not exist yet. */
export type StatusBefore = TaskStatus | 'new'
export type Step = { readonly to: TaskStatus; readonly phase: Phase | null }
type Transitions = Readonly<Record<StatusBefore, Readonly<Partial<Record<TaskEvent, Step>>>>>

const completed: Step = { to: 'completed', phase: null }
const failed: Step = { to: 'failed', phase: null }
const cancelled: Step = { to: 'cancelled', phase: null }
const queued: Step = { to: 'pending', phase: 'queued' }
const starting: Step = { to: 'running', phase: 'starting' }
const working: Step = { to: 'running', phase: 'working' }
const idle: Step = { to: 'running', phase: 'idle' }
const asking: Step = { to: 'waiting_input', phase: 'asking' }

/** What an early end of a run can lead to, for a running task and for one that waits for a person. */
const recovery = {
  requeued: queued,
  backed_off: { to: 'running', phase: 'backing_off' },
  parked: { to: 'running', phase: 'parked' },
  waiting_began: { to: 'running', phase: 'waiting' },
  person_stopped: { to: 'waiting_input', phase: 'stopped_by_person' },
  escalated: { to: 'waiting_input', phase: 'stuck' },
  verifying: { to: 'running', phase: 'verifying' },
  question_asked: asking,
} as const

export const taskTransitions: Transitions = {
  new: { created: queued },
  pending: { launched: starting, question_asked: asking, failed, cancelled },
  running: {
    agent_started: working,
    turn_finished: idle,
    turn_began: working,
    prompt_waits: idle,
    stuck_seen: { to: 'running', phase: 'stuck' },
    ...recovery,
    completed,
    failed,
    cancelled,
  },
  waiting_input: {
    question_settled: working,
    turn_finished: idle,
    turn_began: working,
    prompt_waits: idle,
    ...recovery,
    completed,
    failed,
    cancelled,
  },
  completed: { reopened: queued },
  failed: { reopened: queued },
  cancelled: { reopened: queued },
}

export const ENDED: readonly TaskStatus[] = ['completed', 'failed', 'cancelled']
export const isEnded = (status: TaskStatus) => ENDED.includes(status)
