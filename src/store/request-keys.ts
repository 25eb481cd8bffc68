// Owns the rows of requests that were carried out: one that comes again with its key is found here.
import { HoldfastError } from '../domain/errors.ts'
import type { KeyedRequest, RequestKeyReads } from '../ports/store/request-keys.ts'
import { type Holding, read, type Tx, type Writing } from './database/holding.ts'

export const requestKeys = (holding: Holding): RequestKeyReads => ({
  requestWithKey: ({ createdBy, route, key }) =>
    read(holding, (db) =>
      db
        .selectFrom('requestKeys')
        .selectAll()
        .where('createdBy', '=', createdBy)
        .where('route', '=', route)
        .where('key', '=', key)
        .executeTakeFirst(),
    ),
})

export async function insertRequestKey({ tx }: Writing, request: KeyedRequest): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('requestKeys')
    .values(request)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n)
    throw new HoldfastError('TRANSITION_CONFLICT', 'This request was carried out before.')
}

/** Those of tasks go with their task. */
export async function pruneRequestKeys(tx: Tx, before: number): Promise<void> {
  await tx.deleteFrom('requestKeys').where('taskId', 'is', null).where('at', '<', before).execute()
}
