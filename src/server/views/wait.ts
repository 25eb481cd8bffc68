// Owns what is told of those that wait: for tmux, a gate or a time, and until when.
import { iso } from '../../domain/task/session-record.ts'
import type { TaskRow } from '../../domain/task/task.ts'
import type { Gate } from '../../ports/store-changes.ts'
import type { Waits } from '../../protocol/task-json.ts'
import { gateKey } from '../../supervisor/recovering/gates.ts'

type Waiter = Pick<TaskRow, 'id' | 'status' | 'phase' | 'phaseUntil' | 'account' | 'gate'>

/** For nothing where it works, waits for a slot or a person, or has ended. */
export function waitsOf(task: Waiter, gates: readonly Gate[], waitsForTmux: boolean): Waits {
  const { id, phase, phaseUntil } = task
  if (waitsForTmux) return waits('tmux', null)
  const gate = closedBefore(task, gates)
  if (gate !== undefined && gate.canary !== id)
    return waits(gate.kind, gate.canary === null ? gate.until : null)
  return phase === 'parked' || phase === 'backing_off' ? waits('time', phaseUntil) : waits(null, null)
}

const waits = (what: Waits['waits_for'], until: number | null): Waits => ({
  waits_for: what,
  waits_until: until === null ? null : iso(until),
})

/** Of several gates the one that stays closed longest. */
export function closedBefore(
  { status, phase, account, gate }: Waiter,
  gates: readonly Gate[],
): Gate | undefined {
  if (status !== 'pending' && phase !== 'parked') return undefined
  return gates.findLast(({ key, kind }) => key === gate || key === gateKey(kind, account))
}
