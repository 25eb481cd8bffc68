// Owns that those who wait for a time or behind a gate are looked at whenever that may have changed.

import type { EventKind } from '../../domain/journal/events.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import type { JournalListener } from '../kernel/journal.ts'

/** It waits from now on; or it was perhaps the one that tried a gate first, or the last that waited behind it. */
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

/** `canaries`: those that try a closed gate. Whatever they tell may show that they get on. */
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
