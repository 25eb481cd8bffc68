// Owns noting which tasks have to be measured once more, because their run may be over and no later turn would measure them.
import type { EventKind } from '../../domain/journal/events.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import type { JournalListener } from '../kernel/journal.ts'

/** After these events a task may have no open run. */
const MAY_END_RUN: ReadonlySet<EventKind> = new Set([
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
])

export const measuringListener = (unmeasured: Pick<Set<TaskId>, 'add'>): JournalListener => ({
  name: 'measuring',
  hear: ({ events }) => {
    for (const { kind, taskId } of events)
      if (taskId !== null && MAY_END_RUN.has(kind)) unmeasured.add(taskId)
  },
})
