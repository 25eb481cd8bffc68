import { HoldfastError } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'

/** The task as it is stored now. TASK_NOT_FOUND when it was removed meanwhile. */
export async function existingTask(id: TaskId, { store }: Reads<Pick<TaskReads, 'task'>>): Promise<Task> {
  const task = await store.task(id)
  if (task === undefined) throw new HoldfastError('TASK_NOT_FOUND', `Session not found: ${id}`)
  return task
}
