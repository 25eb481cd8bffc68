// Owns what is told of those that wait: for tmux, a gate or a time, and until when.
import { iso } from '../../domain/task/session-record.ts'
import { gateOf, isTimed, type TaskState } from '../../domain/task/state.ts'
import type { TaskRow } from '../../domain/task/task.ts'
import type { Gate } from '../../ports/store-changes.ts'
import type { Waits } from '../../protocol/task-json.ts'
import { gateKey } from '../../supervisor/recovering/gates.ts'

type Waiter = TaskState & Pick<TaskRow, 'id' | 'account'>

/** For nothing where it works, waits for a slot or a person, or has ended. */
export function waitsOf(task: Waiter, gates: readonly Gate[], waitsForTmux: boolean): Waits {
  if (waitsForTmux) return waits('tmux', null)
  const gate = closedBefore(task, gates)
  if (gate !== undefined && gate.canary !== task.id)
    return waits(gate.kind, gate.canary === null ? gate.until : null)
  return isTimed(task) ? waits('time', task.until) : waits(null, null)
}

const waits = (what: Waits['waits_for'], until: number | null): Waits => ({
  waits_for: what,
  waits_until: until === null ? null : iso(until),
})

/** Of several gates the one that stays closed longest. */
export function closedBefore(task: Waiter, gates: readonly Gate[]): Gate | undefined {
  if (task.status !== 'pending' && task.phase !== 'parked') return undefined
  return gates.findLast(({ key, kind }) => key === gateOf(task) || key === gateKey(kind, task.account))
}
