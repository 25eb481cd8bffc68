// Owns numbers that are kept, because counting a million rows would take too long.
import type { Kysely } from 'kysely'
import { TASK_STATUSES, type TaskState, type TaskStatus } from '../domain/task-machine.ts'
import type { Store, TaskCounts } from '../ports/store.ts'
import { type Holding, read, type Tx } from './holding.ts'
import type { Tables } from './schema.ts'

const tasksIn = (status: TaskStatus) => `tasks_${status}`

export const counters = (holding: Holding): Pick<Store, 'counts'> => ({
  counts: () =>
    read(holding, async (db) => {
      const rows = await db.selectFrom('counters').selectAll().execute()
      const values = new Map(rows.map(({ name, value }) => [name, value]))
      const counts = TASK_STATUSES.map((status) => [status, values.get(tasksIn(status)) ?? 0])
      return Object.fromEntries(counts) as TaskCounts
    }),
})

/** Only after the transition's event was written: its counter's lock puts all writers in a row. */
export async function countMove(tx: Tx, from: TaskState, to: TaskStatus): Promise<void> {
  if (from === to) return
  if (from !== 'new') await addToCounter(tx, tasksIn(from), -1)
  await addToCounter(tx, tasksIn(to), 1)
}

export async function addToCounter(tx: Tx, name: string, by: number): Promise<number> {
  const { value } = await tx
    .updateTable('counters')
    .set((eb) => ({ value: eb('value', '+', by) }))
    .where('name', '=', name)
    .returning('value')
    .executeTakeFirstOrThrow()
  return value
}

export async function counter(db: Kysely<Tables>, name: string): Promise<number> {
  const { value } = await db
    .selectFrom('counters')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return value
}
