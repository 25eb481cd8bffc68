// Owns how the tmux session of a task is named.
import type { Place } from '../../domain/runtime/names.ts'
import { checkPaneName } from './check-name.ts'

/** tmux allows no `.` in the name of a session. No id contains a `+`, so two tasks never share a session, unless they are placed in one. */
export function sessionName(task: string, place?: Place): string {
  if (place !== undefined) return checkPaneName(place.session)
  checkPaneName(task.replaceAll('.', '_'))
  return `${OWN}${task.replaceAll('.', '+')}`
}

/** Up to version 0.1.0, `a.b` and `a_b` had the same session. Agents of those versions may still run. */
export const formerSessionName = (task: string) => `${OWN}${checkPaneName(task.replaceAll('.', '_'))}`

/** True for a session that belongs to one task alone. */
export const isOwnSession = (session: string) => session.startsWith(OWN)

const OWN = 'hf-'

/** How the sessions begin that only show a window of another session to a viewer. */
export const VIEW = 'view-hf-'
