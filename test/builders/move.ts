import { type Move, moveTask } from '../../src/changes/move-task.ts'
import type { TaskId } from '../../src/domain/names/ids.ts'
import { type TaskEvent, type TaskStatus, taskTransitions } from '../../src/domain/task/machine.ts'
import type { PhaseChange } from '../../src/domain/task/state.ts'
import type { TaskMove } from '../../src/ports/store/tasks.ts'
import { NOON } from './ids.ts'
import { phaseChange } from './phases.ts'

type Changes = Partial<Omit<TaskMove, 'event'>> & Partial<Record<'until' | 'gate' | 'goOn' | 'for', unknown>>

/** One step of this task; also one that the table forbids. */
export const aMove = (id: TaskId, from: TaskStatus, event: TaskEvent, changes: Changes = {}): TaskMove => {
  const evidence = [{ source: 'store', fact: 'a test' }] as const
  const facts = { id, from, reason: `because of ${event}`, evidence, at: NOON + 1 }
  const move: Move = { ...facts, ...(phaseChange(event) as PhaseChange) }
  const isForbidden = taskTransitions[from][event] === undefined
  const built = isForbidden
    ? { ...move, closesQuestions: false, voidsResult: false, tellsParent: null }
    : moveTask(move)
  return { ...built, ...changes } as TaskMove
}
