import type { TaskId } from '../../src/domain/names/ids.ts'
import { type TaskEvent, type TaskStatus, taskTransitions } from '../../src/domain/task/machine.ts'
import type { TaskMove } from '../../src/ports/store-changes.ts'
import { moveTask } from '../../src/supervisor/kernel/changes.ts'
import { NOON } from './ids.ts'

/** One step of this task; also one that the table forbids. */
export const aMove = (
  id: TaskId,
  from: TaskStatus,
  event: TaskEvent,
  changes: Partial<TaskMove> = {},
): TaskMove => {
  const evidence = [{ source: 'store', fact: 'a test' }] as const
  const move = { id, from, event, reason: `because of ${event}`, evidence, at: NOON + 1 }
  const isForbidden = taskTransitions[from][event] === undefined
  const built = isForbidden ? { ...move, closesQuestions: false, voidsResult: false } : moveTask(move)
  return { ...built, ...changes }
}
