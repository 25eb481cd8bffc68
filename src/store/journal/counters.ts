// Owns the counters of tasks: counting a million rows would take too long. Each node has its own counters, so that nodes do
// not wait for each other.
import type { Kysely } from 'kysely'
import type { NodeId } from '../../domain/names/ids.ts'
import { type StatusBefore, TASK_STATUSES, type TaskStatus } from '../../domain/task/machine.ts'
import type { Store } from '../../ports/store/store.ts'
import type { TaskCounts } from '../../ports/store/task-lists.ts'
import { archivedCounter, taskCounter } from '../database/counter-names.ts'
import { type Holding, read, type Tx, type Writing } from '../database/holding.ts'
import type { Tables } from '../database/schema.ts'
import { whenGiven } from '../database/when-given.ts'

export const counters = (holding: Holding): Pick<Store, 'counts'> => ({
  counts: (node) =>
    read(holding, async (db) => {
      const value = await counterSums(db, node)
      return countsBy((status) => value(taskCounter(status)))
    }),
})

/** How many tasks have each ended status, in the archive or outside of it. */
export async function endedCounts(
  db: Kysely<Tables>,
  archived: boolean,
): Promise<(status: TaskStatus) => number> {
  const value = await counterSums(db)
  return (status) =>
    archived ? value(archivedCounter(status)) : value(taskCounter(status)) - value(archivedCounter(status))
}

const countsBy = (count: (status: TaskStatus) => number): TaskCounts =>
  Object.fromEntries(TASK_STATUSES.map((status) => [status, count(status)])) as TaskCounts

/** The sum of each counter over all nodes, or of one. */
async function counterSums(db: Kysely<Tables>, node?: NodeId): Promise<(name: string) => number> {
  const sums = new Map<string, number>()
  const rows = await db
    .selectFrom('counters')
    .selectAll()
    .$call(whenGiven(node, (query, id) => query.where('nodeId', '=', id)))
    .execute()
  for (const { name, value } of rows) sums.set(name, (sums.get(name) ?? 0) + value)
  return (name) => sums.get(name) ?? 0
}

export function countMove(writing: Writing, from: StatusBefore, to: TaskStatus): void {
  if (from === to) return
  if (from !== 'new') count(writing, taskCounter(from), -1)
  count(writing, taskCounter(to), 1)
}

export const countArchived = (writing: Writing, status: StatusBefore, by: 1 | -1): void =>
  count(writing, archivedCounter(status), by)

/** For a task that is removed. */
export function uncountTask(
  writing: Writing,
  status: TaskStatus,
  { isArchived }: { isArchived: boolean },
): void {
  count(writing, taskCounter(status), -1)
  if (isArchived) countArchived(writing, status, -1)
}

function count({ counts }: Writing, name: string, by: number): void {
  counts.set(name, (counts.get(name) ?? 0) + by)
}

/** Called only after `writeEvents`: the lock of its counter makes all writers of the node come one after the other. */
export async function writeCounts({ tx, nodeId, counts }: Writing): Promise<void> {
  for (const [name, by] of counts) if (by !== 0) await addToCounter(tx, nodeId, name, by)
}

export async function addToCounter(tx: Tx, nodeId: NodeId, name: string, by: number): Promise<number> {
  const { value } = await tx
    .updateTable('counters')
    .set((eb) => ({ value: eb('value', '+', by) }))
    .where('nodeId', '=', nodeId)
    .where('name', '=', name)
    .returning('value')
    .executeTakeFirstOrThrow()
  return value
}
