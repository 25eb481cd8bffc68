// Owns the order among those who write about one task: its inputs and questions are touched under its row's lock only.
import { HoldfastError } from '../domain/errors.ts'
import type { TaskId } from '../domain/names/ids.ts'
import { isEnded } from '../domain/task/machine.ts'
import type { Tx, Writing } from './database/holding.ts'

/** Until the commit. Not against those who merely refer to the row. */
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

/** For what makes sense only while the task goes on. */
export async function lockUnended(writing: Writing, id: TaskId): Promise<void> {
  const { isEnded } = await lockTask(writing, id)
  if (isEnded) throw new HoldfastError('TRANSITION_CONFLICT', `Task ${id} has ended.`)
}

/** Under the lock nobody else can take it. */
export async function nextNumber(tx: Tx, table: 'inputs' | 'questions', taskId: TaskId): Promise<number> {
  const { last } = await tx
    .selectFrom(table)
    .select((eb) => eb.fn.max<number | null>('number').as('last'))
    .where('taskId', '=', taskId)
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

/** For a write that found no row to change. */
export async function checkExists(tx: Tx, id: TaskId): Promise<void> {
  const row = await tx.selectFrom('tasks').select('id').where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new HoldfastError('TASK_NOT_FOUND', `There is no task ${id}.`)
}
