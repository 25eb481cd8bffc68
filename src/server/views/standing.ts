// Owns one look at a task that somebody waits for.
import { isHoldfastError } from '../../domain/errors.ts'
import { asTaskId } from '../../domain/names/ids.ts'
import { type Final, finalOf, notFound } from '../../domain/task/final-state.ts'
import type { Question, Task } from '../../domain/task/task.ts'
import type { Gate } from '../../ports/store-changes.ts'
import type { Core } from '../../supervisor/task/core.ts'
import { findTask } from '../../supervisor/task/find-task.ts'
import type { Rests } from '../streams/rests.ts'
import { gateBefore } from './next.ts'

/** How a task stood when it was looked at. */
export type Standing = {
  readonly id: string
  readonly task: Task | undefined
  readonly open: readonly Question[]
  readonly final: Final | null
  /** It is at rest, and its work is being verified. */
  readonly isChecked: boolean
  /** What holds it back. */
  readonly gate: Gate | null
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

/** `rests`: null where rest is not enough. `anew`: the first look of somebody. */
export async function stand(id: string, rests: Rests | null, anew: boolean, core: Core): Promise<Standing> {
  const { store } = core
  const task = await store.task(asTaskId(id))
  if (task === undefined) return { id, task, open: [], final: notFound(id), isChecked: false, gate: null }
  const open = task.status === 'waiting_input' ? await store.openQuestions(task.id) : []
  const rest = rests === null ? null : await rests.of(task, anew)
  const isChecked = rest === 'checking'
  const final = finalOf(task, open, isChecked ? null : rest)
  return { id, task, open, final, isChecked, gate: await gateBefore(task, core) }
}
