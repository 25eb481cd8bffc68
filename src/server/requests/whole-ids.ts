import { setImmediate as letOthersWork } from 'node:timers/promises'
import type { TaskId } from '../../domain/names/ids.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Core } from '../../supervisor/task/core.ts'
import { findTask } from '../../supervisor/task/find-task.ts'

/** Each once. One that is not found is an error, before anything is done to the others. */
export async function wholeIds(
  given: readonly string[],
  { store }: Core,
  check: (task: Task) => void = () => {},
): Promise<TaskId[]> {
  const ids = new Set<TaskId>()
  for (const text of given) {
    const task = await findTask(store, text)
    check(task)
    ids.add(task.id)
    await letOthersWork()
  }
  return [...ids]
}
