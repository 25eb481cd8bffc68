// Owns how the tmux session of a task is named.
import { checkPaneName } from './check-name.ts'

/** tmux allows no `.` in the name of a session. No id contains a `+`, so two tasks never share a session. */
export const sessionName = (task: string) => {
  checkPaneName(task.replaceAll('.', '_'))
  return `hf-${task.replaceAll('.', '+')}`
}

/** Up to version 0.1.0, `a.b` and `a_b` had the same session. Agents of those versions may still run. */
export const formerSessionName = (task: string) => `hf-${checkPaneName(task.replaceAll('.', '_'))}`
