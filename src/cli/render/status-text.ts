// Owns how a status reads and looks.
import type { SessionStatus } from '../../domain/status-view.ts'
import type { TaskJson } from '../../protocol/task-json.ts'
import type { Colour } from './colour.ts'

export const statusColour: Readonly<Record<SessionStatus, Colour>> = {
  CREATED: 'dim',
  RUNNING: 'cyan',
  COMPLETED: 'green',
  FAILED: 'red',
  KILLED: 'yellow',
}

/** `RUNNING` says that it works; any other phase is worth a word. */
export function statusText({
  status,
  phase,
  stopping,
}: Pick<TaskJson, 'status' | 'phase' | 'stopping'>): string {
  if (stopping !== null) return `${status} stopping`
  return phase === null || phase === 'working' ? status : `${status} ${phase.replaceAll('_', ' ')}`
}
