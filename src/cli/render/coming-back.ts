import type { TaskDetailJson } from '../../protocol/task-json.ts'
import type { Context } from '../context.ts'
import { oneLine } from './cells.ts'
import { nextText } from './next-text.ts'

/** What a task does that was just told to go on. */
export const showComingBack = (task: TaskDetailJson, { show }: Context) =>
  show(task, () => [
    `${task.session_id} is brought back.`,
    `  Next: ${oneLine(nextText(task.next, Date.now()))}`,
  ])
