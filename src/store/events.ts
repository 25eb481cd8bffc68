// Owns the event sequence: one order for all writers, without gaps.
import type { Store, StoredEvent } from '../ports/store.ts'
import { addToCounter, counter } from './counters.ts'
import { type Holding, read, type Tx, write } from './holding.ts'

const SEQUENCE = 'event_seq'

export const events = (holding: Holding): Pick<Store, 'tell' | 'events' | 'lastSeq'> => ({
  tell: (event) => write(holding, (tx) => writeEvent(tx, holding, event)),

  events: (after, most, taskId) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('events')
        .selectAll()
        .where('seq', '>', after)
        .$if(taskId !== undefined, (query) => query.where('taskId', '=', taskId!))
        .orderBy('seq')
        .limit(most)
        .execute()
      return rows.map((row) => ({ ...row, data: JSON.parse(row.data) }))
    }),

  lastSeq: () => read(holding, (db) => counter(db, SEQUENCE)),
})

/** The counter's row stays locked until the commit: numbers become visible in their order. */
export async function writeEvent(
  tx: Tx,
  { nodeId }: Holding,
  { at, kind, taskId, data }: Omit<StoredEvent, 'seq' | 'nodeId'>,
): Promise<void> {
  const seq = await addToCounter(tx, SEQUENCE, 1)
  await tx
    .insertInto('events')
    .values({ seq, nodeId, at, kind, taskId, data: JSON.stringify(data) })
    .execute()
}
