// Owns the text and the colour of a status.

import type { Phase } from '../../../domain/task/machine.ts'
import type { SessionStatus } from '../../../domain/task/status-view.ts'
import type { ListedTaskJson, TaskJson } from '../../../protocol/json/task-json.ts'
import type { Colour } from '../print/colour.ts'
import { localMinute } from '../print/time.ts'

const STATUS_COLOURS: Readonly<Record<SessionStatus, Colour>> = {
  CREATED: 'dim',
  RUNNING: 'cyan',
  COMPLETED: 'green',
  FAILED: 'red',
  KILLED: 'dim',
}

/** Yellow for what waits for a person, dim for what waits for something else. */
const PHASE_COLOURS: Readonly<Partial<Record<Phase, Colour>>> = {
  asking: 'yellow',
  stopped_by_person: 'yellow',
  stuck: 'yellow',
  idle: 'green',
  queued: 'dim',
  backing_off: 'dim',
  parked: 'dim',
  waiting: 'dim',
}

export const stateColour = ({ status, phase }: Pick<TaskJson, 'status' | 'phase'>): Colour =>
  (phase === null ? undefined : PHASE_COLOURS[phase]) ?? STATUS_COLOURS[status]

type Shown = Pick<ListedTaskJson, 'status' | 'phase' | 'stopping' | 'waits_for' | 'waits_until' | 'asked_by'>

/** `RUNNING` alone means that the task works. Any other phase is added, and what the task waits for, until when. */
export function statusText(task: Shown, now: number): string {
  const { status, phase, stopping, waits_for, asked_by } = task
  if (stopping !== null) return `${status} stopping`
  if (waits_for !== null) return `${status} ${waitText(task, waits_for, now)}`
  // No agent asks: something failed, and a person decides what becomes of the task.
  if (phase === 'asking' && asked_by === 'holdfast') return `${status} to be decided`
  return phase === null || phase === 'working' ? status : `${status} ${phase.replaceAll('_', ' ')}`
}

/** `limit until 17:05`, `parked until 17:05`, `limit is being tested`. */
export function waitText(
  { phase, waits_until }: Pick<TaskJson, 'phase' | 'waits_until'>,
  what: NonNullable<Shown['waits_for']>,
  now: number,
): string {
  if (what === 'tmux' || what === 'children') return `waits for ${what}`
  const word = what === 'time' ? (phase ?? '').replaceAll('_', ' ') : GATES[what]
  if (waits_until !== null) return `${word} until ${shortTime(waits_until, now)}`
  return what === 'time' ? word : `${word} is being tested`
}

const GATES = { limit: 'limit', environment: 'trouble', breaker: 'breaker' } as const

/** `17:05`; with the day when it is not today. */
function shortTime(at: string, now: number): string {
  const text = localMinute(at)
  const isToday = text.slice(0, 10) === localMinute(new Date(now).toISOString()).slice(0, 10)
  return text.slice(isToday ? 11 : 5)
}
