// Owns the lock of a task's row: inputs and questions of a task are changed only under it.
import { HoldfastError } from '../domain/errors.ts'
import type { TaskId } from '../domain/names/ids.ts'
import { isEnded } from '../domain/task/machine.ts'
import type { Tx, Writing } from './database/holding.ts'

/** Held until the commit. Writers that only refer to the row (foreign keys) need not wait for it. */
export async function lockTask({ tx, backend, tasks }: Writing, id: TaskId): Promise<{ isEnded: boolean }> {
  const task = await tx
    .selectFrom('tasks')
    .select('status')
    .where('id', '=', id)
    .$if(backend.locksRows, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (task === undefined) throw new HoldfastError('TASK_NOT_FOUND', `There is no task ${id}.`)
  tasks.add(id)
  return { isEnded: isEnded(task.status) }
}

/** As `lockTask`, for what makes sense only while the task has not ended: else TRANSITION_CONFLICT. */
export async function lockUnended(writing: Writing, id: TaskId): Promise<void> {
  const { isEnded } = await lockTask(writing, id)
  if (isEnded) throw new HoldfastError('TRANSITION_CONFLICT', `Task ${id} has ended.`)
}

/** The next free number. The caller holds the task's lock, so nobody else can take it. */
export async function nextNumber(tx: Tx, table: 'inputs' | 'questions', taskId: TaskId): Promise<number> {
  const { last } = await tx
    .selectFrom(table)
    .select((eb) => eb.fn.max<number | null>('number').as('last'))
    .where('taskId', '=', taskId)
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

/** TASK_NOT_FOUND when there is no such task; for a write that found no row to change. */
export async function checkExists(tx: Tx, id: TaskId): Promise<void> {
  const row = await tx.selectFrom('tasks').select('id').where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new HoldfastError('TASK_NOT_FOUND', `There is no task ${id}.`)
}
