// Owns one look at a task that somebody waits for.
import { isHoldfastError } from '../domain/errors.ts'
import { type Final, finalOf, notFound } from '../domain/final-state.ts'
import { asTaskId } from '../domain/ids.ts'
import type { Question, Task } from '../domain/task.ts'
import type { Core } from '../supervisor/core.ts'
import { findTask } from '../supervisor/find-task.ts'

/** How a task stood when it was looked at. */
export type Standing = {
  readonly id: string
  readonly task: Task | undefined
  readonly open: readonly Question[]
  readonly final: Final | null
}

/** What is not there is an answer, not an error. */
export const wholeId = (id: string, core: Core): Promise<string> =>
  findTask(core.store, id).then(
    (task) => task.id,
    (error) => {
      if (isHoldfastError(error, 'TASK_NOT_FOUND')) return id
      throw error
    },
  )

export async function stand(id: string, { store }: Core): Promise<Standing> {
  const task = await store.task(asTaskId(id))
  if (task === undefined) return { id, task, open: [], final: notFound(id) }
  const open = task.status === 'waiting_input' ? await store.openQuestions(task.id) : []
  return { id, task, open, final: finalOf(task, open) }
}
