// Owns looking at the tasks that wait for a time or behind a gate, whenever one of them may go on.

import type { EventKind } from '../../domain/journal/events.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import type { JournalListener } from '../kernel/journal.ts'

/** After these events a task waits from now on, or a gate may have lost its canary or the last task behind it. */
const CONCERNS_WAITING: ReadonlySet<EventKind> = new Set([
  'task_requeued',
  'task_backed_off',
  'task_parked',
  'task_question_asked',
  'task_person_stopped',
  'task_escalated',
  'task_completed',
  'task_failed',
  'task_cancelled',
  'gate_closed',
  'gate_opened',
])

/** `canaries`: the tasks that test a closed gate. Any change of theirs may show that they make progress. */
export const wakingListener = (
  wake: () => void,
  canaries: Pick<ReadonlyMap<TaskId, unknown>, 'has'>,
): JournalListener => ({
  name: 'waking',
  hear: ({ events, tasks }) => {
    if (events.some(({ kind }) => CONCERNS_WAITING.has(kind)) || [...tasks].some((id) => canaries.has(id)))
      wake()
  },
})
