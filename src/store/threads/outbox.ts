// Owns the rows of what is still to be told: written with the event they tell of, and once.
import type { Store } from '../../ports/store.ts'
import type { Change } from '../../ports/store-changes.ts'
import { type Holding, read, type Writing } from '../database/holding.ts'

export const outbox = (holding: Holding): Pick<Store, 'unboundFor'> => ({
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
})

/** An event that is handled a second time leaves its row as it is. */
export async function putIntoOutbox({ tx }: Writing, row: NonNullable<Change['outbox']>): Promise<void> {
  await tx
    .insertInto('outbox')
    .values({ ...row, boundTrigger: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
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
