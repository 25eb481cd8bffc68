// Owns how long tasks were in which phase, and what of it is timed. Pure: a task's past is folded move by move.
import type { RunId } from '../domain/names/ids.ts'
import type { Phase, TaskEvent } from '../domain/task/machine.ts'
import type { HistogramName, Labels } from './catalogue.ts'

/** One move of a task, as the journal and the table of transitions tell it. `at`: epoch ms. */
export type Move = {
  readonly event: TaskEvent
  readonly phase: Phase | null
  readonly runId: RunId | null
  readonly at: number
}

/** What a task waited for between two runs; the first one that applies. */
export const WAITED = ['person', 'parked', 'backing_off', 'verifying', 'nothing'] as const
type Waited = (typeof WAITED)[number]

/** Where a task is: since when it has its phase, its open run, and the end of the run before. */
export type Course = {
  readonly phase: Phase | null
  readonly since: number
  /** The run that may be open; null when its end was counted. */
  readonly runId: RunId | null
  /** That run was seen at work. */
  readonly isAtWork: boolean
  /** What it waited for since its last run was at work. */
  readonly waited: Waited
}

export type Observed = {
  readonly histogram: HistogramName
  readonly labels?: Labels
  readonly seconds: number
}

export function courseAfter(before: Course | undefined, { event, phase, runId, at }: Move): Course {
  const stays = before !== undefined && before.phase === phase && event !== 'launched'
  const open = event === 'launched' || event === 'agent_started' ? runId : (before?.runId ?? null)
  return {
    phase,
    since: stays ? before.since : at,
    runId: open,
    isAtWork: event === 'agent_started' || (event !== 'launched' && (before?.isAtWork ?? false)),
    waited: event === 'agent_started' ? 'nothing' : longer(before?.waited ?? 'nothing', waitedIn(phase)),
  }
}

/** What can be timed when a task moves on. */
export function observedAt(before: Course | undefined, { event, phase, at }: Move): Observed[] {
  if (before === undefined || before.phase === phase) return []
  const seconds = Math.max(0, at - before.since) / 1000
  switch (before.phase) {
    case 'queued':
      return event === 'launched' ? [{ histogram: 'holdfast_queue_wait_seconds', seconds }] : []
    case 'parked':
    case 'backing_off':
      return [{ histogram: 'holdfast_park_seconds', labels: { phase: before.phase }, seconds }]
    case 'asking':
      return [{ histogram: 'holdfast_question_wait_seconds', seconds }]
    case 'verifying':
      return [{ histogram: 'holdfast_verification_seconds', labels: { outcome: outcomeOf(event) }, seconds }]
    default:
      return []
  }
}

function outcomeOf(event: TaskEvent): string {
  if (event === 'completed') return 'passed'
  return event === 'cancelled' ? 'stopped' : 'failed'
}

function waitedIn(phase: Phase | null): Waited {
  if (phase === 'asking' || phase === 'stuck' || phase === 'stopped_by_person') return 'person'
  if (phase === 'parked' || phase === 'backing_off' || phase === 'verifying') return phase
  return phase === null ? 'person' : 'nothing'
}

const longer = (one: Waited, other: Waited) => (WAITED.indexOf(one) <= WAITED.indexOf(other) ? one : other)
