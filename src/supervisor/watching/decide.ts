// Owns the decisions about a run: a pure function of what is stored, what was seen, and the clock.

import { isOver } from '../../domain/run/machine.ts'
import type { RecoveryTerms } from '../../domain/settings/recovery-terms.ts'
import type { Run } from '../../domain/task/run.ts'
import type { TaskSummary } from '../../domain/task/task.ts'
import { durationText } from '../../domain/text/duration.ts'
import type { ExitRecord, StartRecord } from '../../ports/run/run-files.ts'

/** What was observed of a run. If there is a `start`, `alive` is false only when the process is surely gone. */
export type Observation = {
  readonly start: StartRecord | undefined
  readonly exit: ExitRecord | undefined
  readonly alive: boolean
  /** The run was started, or ended, before the last boot. */
  readonly otherBoot: boolean
  /** How long the process has been gone, while its exit record could be written. */
  readonly missingMs: number
  /** How long this daemon has known the run. */
  readonly watchedMs: number
  /** Working time of the task so far, this run included. */
  readonly workedMs: number
}

export type Decision =
  | { readonly kind: 'leave_alone' }
  /** The run's process exists: from now on the run is watched as live. */
  | { readonly kind: 'adopt'; readonly start: StartRecord }
  /** Nothing shows that the launch happened: the claim decides. */
  | { readonly kind: 'resolve_claim' }
  /** The run is over: store how it ended, and what it left. */
  | { readonly kind: 'harvest' }
  /** The task has used up its time, its cost or its tokens. */
  | {
      readonly kind: 'stop'
      readonly why: 'timeout' | 'budget'
      readonly reason: string
      readonly detail: string
    }
  /** A person ordered the task to finish, and its turn is over. */
  | { readonly kind: 'finish' }
  /** An end or a restart was ordered, or the agent has no session and can do nothing more. */
  | { readonly kind: 'end_run' }

/** What a decision depends on, in addition to what is stored and seen. */
export type Rules = {
  readonly launchGraceMs: number
  readonly budget: Budget
  /** The run was to resume a session that its agent does not know; the agent stays, without a session. */
  readonly isWithoutSession: boolean
  /** The task was ordered to finish, and may do so now. */
  readonly isFinishDue: boolean
}
export type Budget = Pick<RecoveryTerms, 'maxCostUsd' | 'maxTokens'>

/** Time for the keeper to write the exit record after its agent died. */
export const EXIT_RECORD_GRACE_MS = 2000

/** True when there is an exit record, or the process is gone and no record will come. */
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

/** For a task that exceeded its working time, its tokens or its cost. */
function hardStop(
  task: TaskSummary,
  workedMs: number,
  { maxCostUsd, maxTokens }: Budget,
): Decision | undefined {
  if (isOverdue(task, workedMs))
    return {
      kind: 'stop',
      why: 'timeout',
      reason: `Timeout: its working time of ${durationText(task.maxDurationMs)} is used up (max_duration)`,
      detail: `max_duration of ${durationText(task.maxDurationMs)}`,
    }
  const tokens = task.tokensIn + task.tokensOut
  if (maxTokens !== null && tokens > maxTokens)
    return overBudget(`max_tokens of ${maxTokens} exceeded: ${tokens} used`)
  if (maxCostUsd !== null && task.costUsd > maxCostUsd)
    return overBudget(`max_cost of $${maxCostUsd} exceeded: $${task.costUsd.toFixed(2)} spent`)
  return undefined
}

const overBudget = (reason: string): Decision => ({ kind: 'stop', why: 'budget', reason, detail: reason })
