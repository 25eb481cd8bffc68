// Owns which events may end a run.
import type { TaskEvent } from '../task/machine.ts'
import type { EventKind } from './events.ts'

/** After these events a task may have no open run. */
export const MAY_END_RUN: readonly EventKind[] = [
  'task_requeued',
  'task_backed_off',
  'task_parked',
  'task_waiting_began',
  'task_question_asked',
  'task_person_stopped',
  'task_escalated',
  'task_verifying',
  'task_completed',
  'task_failed',
  'task_cancelled',
]

export const mayEndRun = (event: TaskEvent): boolean => MAY_END_RUN.includes(`task_${event}`)
