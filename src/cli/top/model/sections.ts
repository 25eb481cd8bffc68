// Owns the parts of the board: what needs a person comes first, then what works, what waits, and what is done.
import { isEnded } from '../../../domain/task/machine.ts'
import type { TaskRowJson } from '../../../protocol/json/task-json.ts'

export const SECTIONS = ['needs_you', 'at_work', 'waiting', 'done'] as const
export type Section = (typeof SECTIONS)[number]

type Sorted = Pick<TaskRowJson, 'task_status' | 'phase' | 'waits_for' | 'stopping'> &
  Partial<Pick<TaskRowJson, 'elsewhere'>>

export function sectionOf({ task_status, phase, waits_for, stopping, elsewhere }: Sorted): Section {
  if (isEnded(task_status)) return 'done'
  // What a silent daemon told last is no reason to say that an agent is at work.
  if (elsewhere?.silent_since) return task_status === 'waiting_input' ? 'needs_you' : 'waiting'
  if (stopping !== null) return 'at_work'
  if (task_status === 'waiting_input') return 'needs_you'
  return waits_for !== null || WAITING.has(phase ?? '') ? 'waiting' : 'at_work'
}

const WAITING: ReadonlySet<string> = new Set(['queued', 'idle', 'backing_off', 'parked', 'waiting'])
