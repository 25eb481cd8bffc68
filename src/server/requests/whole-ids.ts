import { setImmediate as letOthersWork } from 'node:timers/promises'
import type { TaskId } from '../../domain/names/ids.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Desk } from '../../supervisor/desk.ts'

/**
 * The full ids of the tasks that were named, each once. All are found and checked before anything is done to one of
 * them.
 */
export async function wholeIds(
  given: readonly string[],
  { tasks }: Pick<Desk, 'tasks'>,
  check: (task: Task) => Promise<void> = async () => {},
): Promise<TaskId[]> {
  const ids = new Set<TaskId>()
  for (const text of given) {
    const task = await tasks.find(text)
    await check(task)
    ids.add(task.id)
    await letOthersWork()
  }
  return [...ids]
}
