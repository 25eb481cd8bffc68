// Owns the decisions about a run: a pure function of what is stored, what was seen, and the clock.
import { type Evidence, saw } from '../domain/evidence.ts'
import { isOver } from '../domain/run-machine.ts'
import type { AgentResult, Run, TaskSummary } from '../domain/task.ts'
import type { ExitRecord, StartRecord } from '../ports/run-files.ts'

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
  | { readonly kind: 'settle_claim' }
  /** It is over: store how, and what it left. */
  | { readonly kind: 'harvest'; readonly outcome: Outcome }
  | { readonly kind: 'time_out' }
  /** Somebody ordered its end. */
  | { readonly kind: 'end_run' }

export type Outcome = {
  readonly event: 'completed' | 'failed' | 'cancelled'
  readonly reason: string
  readonly evidence: readonly Evidence[]
}

/** What a decision depends on beside what is stored and seen. */
export type Rules = {
  readonly launchGraceMs: number
  /** The agent has no words for success: its exit code is its word. */
  readonly exitCodeTells: boolean
}

/** A keeper that just saw its agent die still has to write the record. */
export const EXIT_RECORD_GRACE_MS = 2000

export function decide(task: TaskSummary, run: Run, seen: Observation, rules: Rules): Decision {
  if (isOver(run.state)) return { kind: 'leave_alone' }
  const over = (): Decision => ({ kind: 'harvest', outcome: outcomeOf(task, run.result, seen, rules) })
  if (seen.exit !== undefined) return over()
  if (seen.start === undefined)
    return seen.watchedMs < rules.launchGraceMs ? { kind: 'leave_alone' } : { kind: 'settle_claim' }
  if (!seen.alive) {
    const recordMayCome = seen.missingMs < EXIT_RECORD_GRACE_MS && !seen.otherBoot
    return recordMayCome ? { kind: 'leave_alone' } : over()
  }
  if (run.state === 'launching') return { kind: 'adopt', start: seen.start }
  if (task.stop !== null) return { kind: 'end_run' }
  return isOverdue(task, seen.workedMs) ? { kind: 'time_out' } : { kind: 'leave_alone' }
}

export const isOverdue = ({ maxDurationMs }: TaskSummary, workedMs: number) =>
  maxDurationMs !== null && workedMs >= maxDurationMs

/** The record proves that it ended; the agent's own result says how. Exit 0 without a result is not success, unless that is all an agent can say. */
function outcomeOf(
  task: TaskSummary,
  result: AgentResult | null,
  seen: Observation,
  { exitCodeTells }: Rules,
): Outcome {
  const evidence = [
    ending(seen),
    ...(result === null ? [] : [saw('agent', `result: ${result.ok ? 'ok' : 'not ok'}`)]),
  ]
  if (task.stop !== null)
    return {
      event: 'cancelled',
      reason: task.stop.reason,
      evidence: [saw('person', `ended by ${task.stop.by}`), ...evidence],
    }
  if (result?.ok) return { event: 'completed', reason: 'the agent finished', evidence }
  if (result !== null)
    return { event: 'failed', reason: firstLine(result.text) || 'the agent reported a failure', evidence }
  if (exitCodeTells && seen.exit?.code === 0) return toldByExitCode(task, evidence)
  return { event: 'failed', reason: endWords(seen), evidence }
}

const toldByExitCode = ({ status }: TaskSummary, evidence: readonly Evidence[]): Outcome =>
  status === 'waiting_input'
    ? { event: 'failed', reason: 'exited with its question unanswered', evidence }
    : { event: 'completed', reason: 'exited with code 0', evidence }

function endWords({ exit, otherBoot }: Observation): string {
  if (exit === undefined)
    return otherBoot ? 'the machine was restarted under it' : 'its process vanished without an exit record'
  if (exit.signal !== null) return `killed by SIG${exit.signal} before it finished`
  return exit.code === 0 ? 'exited with code 0, but without a result' : `exited with code ${exit.code}`
}

const ending = (seen: Observation): Evidence =>
  seen.exit === undefined
    ? saw('process', seen.otherBoot ? 'started before the last boot' : 'process gone, no exit record')
    : saw('exit_record', seen.exit.signal === null ? `code ${seen.exit.code}` : `signal ${seen.exit.signal}`)

const firstLine = (text: string) => text.trim().split('\n', 1)[0]!.slice(0, 300)
