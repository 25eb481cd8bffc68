// Owns how long a backoff may last at most. Tasks have recovery settings of their own, so the daemon's do not tell.
import type { TaskId } from '../../domain/names/ids.ts'
import type { RecoveryTerms } from '../../domain/settings/recovery-terms.ts'
import { termsOf } from '../../domain/settings/task-terms.ts'
import type { TimedTask } from '../../domain/task/task.ts'
import type { Gate } from '../../ports/store/gates.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { Core } from '../task/core.ts'

/** Ms that a wait may last which one of these tasks caused; never less than the daemon's own settings allow. */
export type LongestPause = (causedBy: readonly TaskId[]) => number
type Waits = { readonly waiting: readonly TimedTask[]; readonly gates: readonly Gate[]; readonly now: number }

/** Reads only tasks whose wait is longer than the daemon's own settings allow, and each of them once. */
export async function longestPauses(
  waits: Waits,
  { ownTerms, pauses, store }: Pick<Core, 'ownTerms' | 'pauses'> & Reads<TaskReads>,
): Promise<LongestPause> {
  const daemons = longestOf(ownTerms)
  const inDoubt = new Set(tasksInDoubt(waits, daemons))
  for (const id of pauses.keys()) if (!inDoubt.has(id)) pauses.delete(id)
  for (const id of inDoubt) {
    if (pauses.has(id)) continue
    const task = await store.task(id)
    pauses.set(id, task === undefined ? daemons : longestOf(termsOf(task, { ownTerms })))
  }
  return (causedBy) => Math.max(daemons, ...causedBy.map((id) => pauses.get(id) ?? daemons))
}

/** A gate closes for `backoffBaseMs` at least, even where the cap is shorter. */
const longestOf = ({ backoffBaseMs, backoffCapMs }: RecoveryTerms) => Math.max(backoffBaseMs, backoffCapMs)

/** Without those that wait for a limit: its time comes from the agent. */
function tasksInDoubt({ waiting, gates, now }: Waits, longestMs: number): TaskId[] {
  const isLong = ({ until }: { readonly until: number }) => until - now > longestMs
  return [
    ...waiting.flatMap((task) => (task.phase === 'backing_off' && isLong(task) ? task.id : [])),
    ...gates.flatMap((gate) => (gate.kind !== 'limit' && isLong(gate) ? pausedBy(gate) : [])),
  ]
}

/** The tasks whose settings decided how long the gate stays closed. */
export const pausedBy = ({ failed }: Pick<Gate, 'failed'>) => failed.map(({ id }) => id)
