// Owns the text and the colour of a status.

import type { Phase } from '../../../domain/task/machine.ts'
import type { SessionStatus } from '../../../domain/task/status-view.ts'
import type { ListedTaskJson, TaskJson } from '../../../protocol/json/task-json.ts'
import type { Colour } from '../print/colour.ts'
import { localMinute } from '../print/time.ts'
import { type MayBeElsewhere, silentSince } from './elsewhere-text.ts'

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

export const stateColour = (task: Pick<TaskJson, 'status' | 'phase'> & MayBeElsewhere): Colour => {
  const { status, phase } = task
  if (unknownSince(task) !== null) return 'dim'
  return (phase === null ? undefined : PHASE_COLOURS[phase]) ?? STATUS_COLOURS[status]
}

type Shown = Pick<
  ListedTaskJson,
  'status' | 'phase' | 'stopping' | 'waits_for' | 'waits_until' | 'asked_by'
> &
  MayBeElsewhere

/** Since when the state is not known, because nothing was heard of the task's daemon. An end stays what it is. */
export const unknownSince = (task: Pick<TaskJson, 'status'> & MayBeElsewhere): string | null =>
  task.status === 'CREATED' || task.status === 'RUNNING' ? silentSince(task) : null

/**
 * `RUNNING` alone means that the task works. Any other phase is added, and what the task waits for, until when. Of a daemon
 * that is silent: `RUNNING? unknown since 17:05`.
 */
export function statusText(task: Shown, now: number): string {
  const { status, phase, stopping, waits_for, asked_by } = task
  const since = unknownSince(task)
  if (since !== null) return `${status}? unknown since ${shortTime(since, now)}`
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
