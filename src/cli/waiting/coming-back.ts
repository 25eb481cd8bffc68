import type { TaskDetailJson } from '../../protocol/json/task-json.ts'
import type { Context } from '../context.ts'
import { oneLine } from '../render/print/cells.ts'
import { nextText } from '../render/text/next-text.ts'

/** Prints what comes next for a task that was just ordered to go on. */
export const showComingBack = (task: TaskDetailJson, { show }: Context) =>
  show(task, () => [`${task.session_id} goes on.`, `  Next: ${oneLine(nextText(task, Date.now()))}`])
