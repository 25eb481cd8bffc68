// Owns the rows of what is still to be told: written with the event they tell of, and once.
import { HoldfastError } from '../../domain/errors.ts'
import type { Change } from '../../ports/store/commits.ts'
import { type OutboxReads, TOLD } from '../../ports/store/outbox.ts'
import { type Holding, read, type Writing } from '../database/holding.ts'
import { appendEvent } from '../journal/append-events.ts'

export const outbox = (holding: Holding): OutboxReads => ({
  unboundFor: (parentId) =>
    read(holding, (db) =>
      db
        .selectFrom('outbox')
        .selectAll()
        .where('parentId', '=', parentId)
        .where('boundTrigger', 'is', null)
        .orderBy('nodeId')
        .orderBy('seq')
        .execute(),
    ),

  parentsToTell: () =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('outbox')
        .innerJoin('tasks', 'tasks.id', 'outbox.parentId')
        .select('tasks.id')
        .distinct()
        .where('outbox.boundTrigger', 'is', null)
        .where('tasks.nodeId', '=', holding.nodeId)
        .orderBy('tasks.id')
        .execute()
      return rows.map(({ id }) => id)
    }),
})

/** An event that is handled a second time leaves its row as it is, and tells nothing. */
export async function putIntoOutbox(writing: Writing, row: NonNullable<Change['outbox']>): Promise<void> {
  const { numInsertedOrUpdatedRows } = await writing.tx
    .insertInto('outbox')
    .values({ ...row, boundTrigger: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n || row.parentId === null) return
  const { parentId: taskId, childId: child, what } = row
  appendEvent(writing, { at: writing.now(), kind: 'child_news', taskId, data: { child, what } })
}

/** `by`: the trigger that tells of them; null when it knows without one. */
export async function bindOutbox(
  { tx }: Writing,
  { parentId, rows }: NonNullable<Change['bindOutbox']>,
  by: string | null,
): Promise<void> {
  for (const { subscriber, nodeId, seq } of rows) {
    const { numUpdatedRows } = await tx
      .updateTable('outbox')
      .set({ boundTrigger: by ?? TOLD })
      .where('subscriber', '=', subscriber)
      .where('nodeId', '=', nodeId)
      .where('seq', '=', seq)
      .where('parentId', '=', parentId)
      .where('boundTrigger', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n)
      throw new HoldfastError('TRANSITION_CONFLICT', `${parentId} was told of event ${seq} before.`)
  }
}

/** Those that a trigger tells of stay where they are. */
export async function readdressOutbox(
  { tx }: Writing,
  { from, to }: NonNullable<Change['readdress']>,
): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ parentId: to })
    .where('parentId', '=', from)
    .where('boundTrigger', 'is', null)
    .execute()
}
