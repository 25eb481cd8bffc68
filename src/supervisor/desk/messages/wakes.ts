// Owns waking tasks because of messages, on behalf of the bridge, which knows who has what to read.
import type { HandledEvent } from '../../../domain/journal/cause.ts'
import type { ThreadId } from '../../../domain/names/ids.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { WakesNeeds } from '../../wakes/needs.ts'
import { dropWakes, type MessageWake, wakeForMessages, whyNotWoken } from '../../wakes/wake-for-messages.ts'

export const wakesDesk = (core: WakesNeeds) => ({
  /** One trigger, unless one for the same thread is still on its way. Deferred when the thread wakes agents too often. */
  forMessages: (task: Task, wake: MessageWake): Promise<void> => wakeForMessages(task, wake, core),
  /** Null for a task that messages wake. */
  whyNot: (task: Task): string | null => whyNotWoken(task, core),
  /** The thread is blocked: its wake-ups that no agent has yet are given up. */
  drop: (thread: ThreadId, why: string, cause: HandledEvent): Promise<void> =>
    dropWakes(thread, why, cause, core),
})
