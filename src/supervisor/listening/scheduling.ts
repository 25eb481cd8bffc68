// Owns looking at the queue whenever a task may start that could not start before.
import type { EventKind } from '../../domain/journal/events.ts'
import type { JournalListener } from '../kernel/journal.ts'

/** After these events a task was added to the queue, a slot became free, or an obstacle is gone. */
const CONCERNS_QUEUE: ReadonlySet<EventKind> = new Set([
  'task_created',
  'task_requeued',
  'task_reopened',
  'task_completed',
  'task_failed',
  'task_cancelled',
  'task_question_asked',
  'task_person_stopped',
  'task_escalated',
  'task_backed_off',
  'task_parked',
  'task_waiting_began',
  'task_verifying',
  'task_turn_finished',
  'task_prompt_waits',
  'gate_closed',
  'gate_opened',
  'server_started',
  'server_answers',
])

export const schedulingListener = (schedule: () => void): JournalListener => ({
  name: 'scheduling',
  hear: ({ events }) => {
    if (events.some(({ kind }) => CONCERNS_QUEUE.has(kind))) schedule()
  },
})
