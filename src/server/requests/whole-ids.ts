import { setImmediate as letOthersWork } from 'node:timers/promises'
import type { TaskId } from '../../domain/names/ids.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Desk } from '../../supervisor/desk.ts'

/** Each once. One that is not found is an error, before anything is done to the others. */
export async function wholeIds(
  given: readonly string[],
  { tasks }: Pick<Desk, 'tasks'>,
  check: (task: Task) => void = () => {},
): Promise<TaskId[]> {
  const ids = new Set<TaskId>()
  for (const text of given) {
    const task = await tasks.find(text)
    check(task)
    ids.add(task.id)
    await letOthersWork()
  }
  return [...ids]
}
