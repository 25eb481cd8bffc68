// Owns whether a task waits for tmux, its children, a gate or a time, and until when. Waiting for a slot or a person is not told here. Pure.
import { gateOf, isTimed, type TaskState, waitsForChildren } from '../../../domain/task/state.ts'
import type { TaskFacts } from '../../../domain/task/task.ts'
import type { Gate } from '../../../ports/store/gates.ts'
import type { OwnNode, Reads } from '../../../ports/store/store.ts'
import { gateKey } from '../../recovering/gates.ts'

type Waiter = TaskState & Pick<TaskFacts, 'id' | 'account'>

export type Waits = {
  /** Null when the task works, waits for a slot or a person, or has ended. */
  readonly for: 'tmux' | Gate['kind'] | 'time' | 'children' | null
  /** Epoch ms; null when no time is known. */
  readonly until: number | null
}

export function waitsOf(task: Waiter, gates: readonly Gate[], waitsForTmux: boolean): Waits {
  if (waitsForTmux) return { for: 'tmux', until: null }
  if (waitsForChildren(task)) return { for: 'children', until: null }
  const gate = closedBefore(task, gates)
  if (gate !== undefined && gate.canary !== task.id)
    return { for: gate.kind, until: gate.canary === null ? gate.until : null }
  return isTimed(task) ? { for: 'time', until: task.until } : { for: null, until: null }
}

/** Each node has gates of its own: `gates` of this one hold back none of another's tasks. */
export const gatesBefore = (
  { nodeId }: Pick<TaskFacts, 'nodeId'>,
  gates: readonly Gate[],
  { store }: Reads<OwnNode>,
): readonly Gate[] => (nodeId === store.nodeId ? gates : [])

/** The gate that holds the task back. Of several, the one that stays closed longest: `gates` are sorted by `until`. */
export function closedBefore(task: Waiter, gates: readonly Gate[]): Gate | undefined {
  if (task.status !== 'pending' && task.phase !== 'parked') return undefined
  return gates.findLast(({ key, kind }) => key === gateOf(task) || key === gateKey(kind, task.account))
}
