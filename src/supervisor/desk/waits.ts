// Owns what a task waits for that is neither a slot nor a person: tmux, a gate or a time, and until when. Pure.
import type { TaskRow } from '../../domain/task/task.ts'
import type { Gate } from '../../ports/store-changes.ts'
import { gateKey } from '../recovering/gates.ts'

type Waiter = Pick<TaskRow, 'id' | 'status' | 'phase' | 'phaseUntil' | 'account' | 'gate'>

export type Waits = {
  /** Null where it works, waits for a slot or a person, or has ended. */
  readonly for: 'tmux' | Gate['kind'] | 'time' | null
  /** Epoch ms; null where no time is set. */
  readonly until: number | null
}

export function waitsOf(task: Waiter, gates: readonly Gate[], waitsForTmux: boolean): Waits {
  const { id, phase, phaseUntil } = task
  if (waitsForTmux) return { for: 'tmux', until: null }
  const gate = closedBefore(task, gates)
  if (gate !== undefined && gate.canary !== id)
    return { for: gate.kind, until: gate.canary === null ? gate.until : null }
  return phase === 'parked' || phase === 'backing_off'
    ? { for: 'time', until: phaseUntil }
    : { for: null, until: null }
}

/** Of several gates the one that stays closed longest. */
export function closedBefore(
  { status, phase, account, gate }: Waiter,
  gates: readonly Gate[],
): Gate | undefined {
  if (status !== 'pending' && phase !== 'parked') return undefined
  return gates.findLast(({ key, kind }) => key === gate || key === gateKey(kind, account))
}
