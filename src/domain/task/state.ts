// Owns the state of a task: a union keyed on phase, so that the facts of one phase cannot be read in another.
import type { NodeId, TaskId } from '../names/ids.ts'
import { CONTINUATION, type GoOn } from './go-on.ts'
import { isEnded, type Phase, type TaskEvent, type TaskStatus } from './machine.ts'

/** What a task waits for that is neither a time nor a person's answer. */
export type WaitsFor =
  | { readonly kind: 'task'; readonly id: TaskId }
  | { readonly kind: 'children' }
  | { readonly kind: 'tmux' }
  | { readonly kind: 'approval'; readonly of: string }
  | { readonly kind: 'node'; readonly id: NodeId }

type At<Status extends TaskStatus, In extends Phase | null> = {
  readonly status: Status
  readonly phase: In
}

/** `goOn`: how the next run begins; null for the first run. */
export type QueuedState = At<'pending', 'queued'> & { readonly goOn: GoOn | null }
/** `until`: epoch ms. `goOn`: how the task goes on then. */
export type BackingOffState = At<'running', 'backing_off'> & { readonly until: number; readonly goOn: GoOn }
/** `until`: epoch ms. `gate`: the key of the gate that the task waits behind; null when it only waits for `until`. */
export type ParkedState = At<'running', 'parked'> & {
  readonly until: number
  readonly gate: string | null
  readonly goOn: GoOn
}
export type WaitingState = At<'running', 'waiting'> & { readonly for: WaitsFor; readonly goOn: GoOn }
/** `question`: the number of the oldest open question; null when a person has decided, and the decision is being carried out. */
export type PersonState = At<'waiting_input', 'asking' | 'stuck' | 'stopped_by_person'> & {
  readonly question: number | null
}

export type TaskState =
  | QueuedState
  | At<'running', 'starting' | 'working' | 'idle' | 'stuck' | 'verifying'>
  | BackingOffState
  | ParkedState
  | WaitingState
  | PersonState
  | At<'completed' | 'failed' | 'cancelled', null>

/** The states in which a task waits for a time, its own or that of a gate. */
export type TimedState = BackingOffState | ParkedState

export const isTimed = <T extends TaskState>(task: T): task is T & TimedState =>
  task.phase === 'backing_off' || task.phase === 'parked'

export const waitsForChildren = <T extends TaskState>(task: T): task is T & WaitingState =>
  task.phase === 'waiting' && task.for.kind === 'children'

/** Epoch ms; null when the task does not wait for a time. */
export const waitsUntil = (task: TaskState) => (isTimed(task) ? task.until : null)

/** The key of the gate that the task waits behind; null when there is none. */
export const gateOf = (task: TaskState) => (task.phase === 'parked' ? task.gate : null)

/** An event, with the facts of the phase that it leads to. */
export type PhaseChange =
  | { readonly event: 'requeued' | 'reopened'; readonly goOn: GoOn | null }
  | { readonly event: 'backed_off'; readonly until: number; readonly goOn: GoOn }
  | { readonly event: 'parked'; readonly until: number; readonly gate: string | null; readonly goOn: GoOn }
  | { readonly event: 'waiting_began'; readonly for: WaitsFor; readonly goOn: GoOn }
  | { readonly event: PlainEvent }

/** Events that lead to a phase without facts of its own. */
export type PlainEvent = Exclude<
  TaskEvent,
  'requeued' | 'reopened' | 'backed_off' | 'parked' | 'waiting_began'
>

/** A state as a store keeps it: one column for each fact, null when the phase does not have that fact. */
export type StoredState = {
  readonly status: TaskStatus
  readonly phase: Phase | null
  readonly phaseUntil: number | null
  readonly gate: string | null
  readonly goOn: GoOn | null
  readonly waitsFor: WaitsFor | null
  readonly question: number | null
}

/** A damaged row may lack facts of its phase. They get harmless values: the task goes on at once, in its session. */
export function stateOf(row: StoredState): TaskState {
  const { status, phase, phaseUntil, gate, goOn, waitsFor, question } = row
  const next = goOn ?? { how: 'resume', say: CONTINUATION }
  const until = phaseUntil ?? 0
  if (isEnded(status)) return { status: status as 'completed', phase: null }
  if (status === 'pending') return { status, phase: 'queued', goOn }
  if (status === 'waiting_input') return { status, phase: phase as PersonState['phase'], question }
  if (phase === 'backing_off') return { status: 'running', phase, until, goOn: next }
  if (phase === 'parked') return { status: 'running', phase, until, gate, goOn: next }
  if (phase === 'waiting')
    return { status: 'running', phase, for: waitsFor ?? { kind: 'children' }, goOn: next }
  return { status: 'running', phase: phase as 'working' }
}

/** The columns of the phase that a change leads to. The store itself finds the number of the question. */
export function columnsOf(
  change: PhaseChange,
): Pick<StoredState, 'phaseUntil' | 'gate' | 'goOn' | 'waitsFor'> {
  return {
    phaseUntil: 'until' in change ? change.until : null,
    gate: 'gate' in change ? change.gate : null,
    goOn: 'goOn' in change ? change.goOn : null,
    waitsFor: 'for' in change ? change.for : null,
  }
}
