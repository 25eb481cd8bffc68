// Owns the word and the colour for what a task does. Pure. The colour only repeats what the word says.
import type { ElsewhereJson } from '../../../src/protocol/json/daemon-json.ts'
import type { TaskRowJson } from '../../../src/protocol/json/task-json.ts'

export type Tone = 'amber' | 'red' | 'teal' | 'indigo' | 'violet' | 'blue' | 'green' | 'grey'
export type StateWord = { readonly word: string; readonly tone: Tone; readonly outline?: boolean }

type Shown = Pick<TaskRowJson, 'task_status' | 'phase' | 'stopping' | 'asked_by'> & MayBeElsewhere
type MayBeElsewhere = Partial<Pick<TaskRowJson, 'elsewhere'>>

const ENDS: Readonly<Record<string, StateWord>> = {
  completed: { word: 'done', tone: 'green' },
  failed: { word: 'failed', tone: 'red' },
  cancelled: { word: 'killed', tone: 'grey', outline: true },
}
const PHASES: Readonly<Record<string, StateWord>> = {
  queued: { word: 'queued', tone: 'grey' },
  starting: { word: 'starts', tone: 'blue' },
  working: { word: 'works', tone: 'teal' },
  idle: { word: 'at rest', tone: 'grey' },
  asking: { word: 'asks', tone: 'amber' },
  backing_off: { word: 'retries soon', tone: 'indigo' },
  parked: { word: 'parked', tone: 'indigo' },
  waiting: { word: 'waits', tone: 'indigo' },
  stuck: { word: 'stuck', tone: 'red' },
  verifying: { word: 'verifies', tone: 'violet' },
  stopped_by_person: { word: 'stopped by you', tone: 'grey' },
}
/** No agent asks: something failed, and a person decides what becomes of the task. */
export const TO_BE_DECIDED: StateWord = { word: 'to be decided', tone: 'red' }
export const UNKNOWN: StateWord = { word: 'unknown', tone: 'grey', outline: true }

/** True when nothing is heard of the daemon of a task: its state is then only what that daemon told last. */
export const isSilent = (elsewhere: ElsewhereJson | null | undefined) =>
  (elsewhere?.silent_since ?? null) !== null

export function stateWord({ task_status, phase, stopping, asked_by, elsewhere }: Shown): StateWord {
  const end = ENDS[task_status]
  if (end !== undefined) return end
  if (isSilent(elsewhere)) return UNKNOWN
  if (stopping !== null) return { word: 'is being ended', tone: 'grey' }
  // Only a person can help a stuck task that has status waiting_input; otherwise Holdfast is at it.
  if (phase === 'stuck' && task_status !== 'waiting_input') return { word: 'silent', tone: 'amber' }
  if (phase === 'asking' && asked_by === 'holdfast') return TO_BE_DECIDED
  return PHASES[phase ?? ''] ?? UNKNOWN
}

export const hasEnded = ({ task_status }: Pick<TaskRowJson, 'task_status'>) => task_status in ENDS

/** Where on the first screen a task stands. */
export type Place = 'needs_you' | 'at_work' | 'waiting' | 'ended'

/** What a silent daemon told last is no reason to say that an agent is at work. */
export function placeOf(task: Pick<TaskRowJson, 'task_status' | 'phase'> & MayBeElsewhere): Place {
  if (hasEnded(task)) return 'ended'
  if (task.task_status === 'waiting_input') return 'needs_you'
  return AT_WORK.has(task.phase ?? '') && !isSilent(task.elsewhere) ? 'at_work' : 'waiting'
}
const AT_WORK = new Set(['starting', 'working', 'verifying', 'stuck'])
