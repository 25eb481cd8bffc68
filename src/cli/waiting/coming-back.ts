import type { TaskDetailJson } from '../../protocol/task-json.ts'
import type { Context } from '../context.ts'
import { oneLine } from '../render/cells.ts'
import { nextText } from '../render/next-text.ts'

/** What a task does that was just told to go on. */
export const showComingBack = (task: TaskDetailJson, { show }: Context) =>
  show(task, () => [`${task.session_id} goes on.`, `  Next: ${oneLine(nextText(task, Date.now()))}`])
