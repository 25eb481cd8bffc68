// Owns whether the canary of a gate makes progress.

import { type TaskTerms, termsOf } from '../../domain/settings/task-terms.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Run } from '../../domain/task/run.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Gate, GateReads } from '../../ports/store/gates.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { Core } from '../task/core.ts'
import type { Canary } from './due-tasks.ts'
import { failuresBefore } from './gates.ts'

export async function canaryOf(
  gate: Gate,
  core: Pick<Core, 'canaries' | 'clock' | 'ownTerms'> & Reads<RunReads & TaskReads>,
): Promise<Canary> {
  const task = gate.canary === null ? undefined : await core.store.task(gate.canary)
  if (task === undefined) return 'gone'
  if (task.status === 'completed') return 'makes_progress'
  const run = task.runId === null ? undefined : await core.store.run(task.runId)
  if (run !== undefined && hasMadeProgress(run, gate, core)) return 'makes_progress'
  if (isEnded(task.status) || task.status === 'waiting_input' || task.phase === 'parked') return 'gone'
  if (task.phase === 'backing_off') return 'failed'
  return run !== undefined && lastsLong(run, gate, termsOf(task, core), core) ? 'makes_progress' : 'trying'
}

/** Progress from before the task became the canary does not count. */
function hasMadeProgress(
  { taskId, createdAt, progress }: Run,
  { since }: Gate,
  { canaries }: Pick<Core, 'canaries'>,
): boolean {
  const before = canaries.get(taskId) ?? (createdAt >= since ? 0 : progress)
  canaries.set(taskId, before)
  return progress > before
}

/** After so long, the cause of the gate would have shown again. For agents that report nothing before they are done. */
const lastsLong = (
  { startedAt }: Run,
  { until }: Gate,
  { backoffCapMs }: TaskTerms,
  { clock }: Pick<Core, 'clock'>,
) => startedAt !== null && clock.now() - Math.max(startedAt, until) >= backoffCapMs

/** How often the task has failed as a breaker's canary, this failure included; 0 when it is no canary or made progress. */
export async function failuresAsCanary(
  { id }: Task,
  run: Run,
  core: Pick<Core, 'canaries'> & Reads<GateReads>,
): Promise<number> {
  const gate = (await core.store.gates()).find(({ kind, canary }) => kind === 'breaker' && canary === id)
  if (gate === undefined || hasMadeProgress(run, gate, core)) return 0
  return failuresBefore(gate.failed, id) + 1
}
