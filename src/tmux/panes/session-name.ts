import { checkPaneName } from './check-name.ts'

/** tmux turns `.` and `:` in session names into `_`; we do it first so that both sides agree. */
export const sessionName = (task: string) => `hf-${checkPaneName(task.replaceAll('.', '_'))}`
