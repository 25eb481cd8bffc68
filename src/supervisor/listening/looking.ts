// Owns requesting a look at a run when something is to be said to it, or to be done with it.

import type { EventKind } from '../../domain/journal/events.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import type { JournalListener } from '../kernel/journal.ts'

const TO_BE_SAID: ReadonlySet<EventKind> = new Set([
  'input_queued',
  'task_prompt_waits',
  'trigger_forced',
  'trigger_queued',
])
const TO_BE_DONE: ReadonlySet<EventKind> = new Set([
  'stop_ordered',
  'restart_ordered',
  'question_answered',
  'task_question_asked',
  'question_added',
  'task_question_settled',
])

type Looks = {
  /** Requests a look that includes the task's screen, although nothing new was drawn on it. */
  readonly lookAtScreenToo: (id: TaskId) => void
  readonly look: (id: TaskId) => void
}

export const lookingListener = ({ lookAtScreenToo, look }: Looks): JournalListener => ({
  name: 'looking',
  hear: ({ events }) => {
    for (const { kind, taskId } of events) {
      if (taskId === null) continue
      if (TO_BE_SAID.has(kind)) lookAtScreenToo(taskId)
      else if (TO_BE_DONE.has(kind)) look(taskId)
    }
  },
})
