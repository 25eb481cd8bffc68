import type { Place } from '../../domain/runtime/names.ts'
import { checkPaneName } from './check-name.ts'

/** tmux turns `.` and `:` in session names into `_`; we do it first so that both sides agree. */
export const sessionName = (task: string, place?: Place) =>
  place === undefined ? `${OWN}${checkPaneName(task.replaceAll('.', '_'))}` : checkPaneName(place.session)

/** Of one task alone. */
export const isOwnSession = (session: string) => session.startsWith(OWN)

const OWN = 'hf-'
