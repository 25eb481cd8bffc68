// Owns noting which tasks have to be measured once more, because their run may be over and no later turn would measure them.
import type { EventKind } from '../../domain/journal/events.ts'
import { MAY_END_RUN } from '../../domain/journal/may-end-run.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import type { JournalListener } from '../kernel/journal.ts'

const RUN_MAY_BE_OVER: ReadonlySet<EventKind> = new Set(MAY_END_RUN)

export const measuringListener = (unmeasured: Pick<Set<TaskId>, 'add'>): JournalListener => ({
  name: 'measuring',
  hear: ({ events }) => {
    for (const { kind, taskId } of events)
      if (taskId !== null && RUN_MAY_BE_OVER.has(kind)) unmeasured.add(taskId)
  },
})
