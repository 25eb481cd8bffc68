// Owns the stop and the restart that are noted on a task until they are carried out.
import { HoldfastError } from '../domain/errors.ts'
import type { TaskId } from '../domain/names/ids.ts'
import { ENDED } from '../domain/task/machine.ts'
import type { Change } from '../ports/store/commits.ts'
import type { Writing } from './database/holding.ts'
import { appendEvent } from './journal/append-events.ts'
import { checkExists } from './lock-task.ts'

export async function placeStop(writing: Writing, { id, order }: NonNullable<Change['stop']>): Promise<void> {
  await placeOnTask(writing, id, 'stop', order)
  const { kind, by, reason, at } = order
  appendEvent(writing, { at, kind: 'stop_ordered', taskId: id, data: { kind, by, reason } })
}

export async function placeRestart(
  writing: Writing,
  { id, order }: NonNullable<Change['restart']>,
): Promise<void> {
  await placeOnTask(writing, id, 'restart', order)
  const { kind, by, reason, at } = order
  appendEvent(writing, { at, kind: 'restart_ordered', taskId: id, data: { kind, by, reason } })
}

/** TRANSITION_CONFLICT when the task has ended, has a stop, or has the same order already. */
async function placeOnTask(
  { tx }: Writing,
  id: TaskId,
  name: 'stop' | 'restart',
  order: unknown,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('tasks')
    .set({ [name]: JSON.stringify(order) })
    .where('id', '=', id)
    .where(name, 'is', null)
    .where('stop', 'is', null)
    .where('status', 'not in', ENDED)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) return
  await checkExists(tx, id)
  throw new HoldfastError('TRANSITION_CONFLICT', `Task ${id} has ended, or was ordered to before.`)
}
