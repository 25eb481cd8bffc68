// Owns the decisions about a run: a pure function of what is stored, what was seen, and the clock.

import { isOver } from '../../domain/run/machine.ts'
import type { RecoveryTerms } from '../../domain/settings/recovery-terms.ts'
import type { Run, TaskSummary } from '../../domain/task/task.ts'
import type { ExitRecord, StartRecord } from '../../ports/run-files.ts'

/** What the world shows about a run. Unknown is not dead: `alive` is false only when the kernel says so. */
export type Observation = {
  readonly start: StartRecord | undefined
  readonly exit: ExitRecord | undefined
  readonly alive: boolean
  /** It was started before the last boot. */
  readonly otherBoot: boolean
  readonly missingMs: number
  /** How long this daemon has known the run. */
  readonly watchedMs: number
  /** Working time of the task so far, this run included. */
  readonly workedMs: number
}

export type Decision =
  | { readonly kind: 'leave_alone' }
  /** Its process exists: from now on it is watched as live. */
  | { readonly kind: 'adopt'; readonly start: StartRecord }
  /** Nothing shows that the launch happened: the claim decides. */
  | { readonly kind: 'resolve_claim' }
  /** It is over: store how, and what it left. */
  | { readonly kind: 'harvest' }
  /** It has used up what it may. */
  | {
      readonly kind: 'stop'
      readonly why: 'timeout' | 'budget'
      readonly reason: string
      readonly detail: string
    }
  /** A person is done with it, and its turn is over. */
  | { readonly kind: 'finish' }
  /** Somebody ordered its end, or it can do nothing more. */
  | { readonly kind: 'end_run' }

/** What a decision depends on beside what is stored and seen. */
export type Rules = {
  readonly launchGraceMs: number
  readonly budget: Budget
  /** It was to be resumed in a session that its agent does not know, and stays without one. */
  readonly isWithoutSession: boolean
  /** It was ordered to finish, and may now. */
  readonly isFinishDue: boolean
}
export type Budget = Pick<RecoveryTerms, 'maxCostUsd' | 'maxTokens'>

/** A keeper that just saw its agent die still has to write the record. */
export const EXIT_RECORD_GRACE_MS = 2000

/** By its record; or its process is gone, and no record will come. */
export function hasEnded({ exit, start, alive, missingMs, otherBoot }: Observation): boolean {
  if (exit !== undefined) return true
  return start !== undefined && !alive && (otherBoot || missingMs >= EXIT_RECORD_GRACE_MS)
}

export function decide(task: TaskSummary, run: Run, seen: Observation, rules: Rules): Decision {
  if (isOver(run.state)) return { kind: 'leave_alone' }
  if (hasEnded(seen)) return { kind: 'harvest' }
  if (seen.start === undefined)
    return seen.watchedMs < rules.launchGraceMs ? { kind: 'leave_alone' } : { kind: 'resolve_claim' }
  if (!seen.alive) return { kind: 'leave_alone' }
  if (run.state === 'launching') return { kind: 'adopt', start: seen.start }
  if (task.stop !== null || task.restart !== null || rules.isWithoutSession) return { kind: 'end_run' }
  if (rules.isFinishDue) return { kind: 'finish' }
  return hardStop(task, seen.workedMs, rules.budget) ?? { kind: 'leave_alone' }
}

export const isOverdue = ({ maxDurationMs }: TaskSummary, workedMs: number) =>
  maxDurationMs !== null && workedMs >= maxDurationMs

/** What it may not exceed, and has. */
function hardStop(
  task: TaskSummary,
  workedMs: number,
  { maxCostUsd, maxTokens }: Budget,
): Decision | undefined {
  if (isOverdue(task, workedMs))
    return {
      kind: 'stop',
      why: 'timeout',
      reason: 'Timeout',
      detail: `max_duration of ${task.maxDurationMs} ms`,
    }
  const tokens = task.tokensIn + task.tokensOut
  if (maxTokens !== null && tokens > maxTokens)
    return overBudget(`max_tokens of ${maxTokens} exceeded: ${tokens} used`)
  if (maxCostUsd !== null && task.costUsd > maxCostUsd)
    return overBudget(`max_cost of $${maxCostUsd} exceeded: $${task.costUsd.toFixed(2)} spent`)
  return undefined
}

const overBudget = (reason: string): Decision => ({ kind: 'stop', why: 'budget', reason, detail: reason })
