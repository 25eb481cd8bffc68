// Owns the signs of life of the nodes that share the store.
import { type Kysely, sql } from 'kysely'
import type { NodeId } from '../domain/names/ids.ts'
import type { NodeReads, NodeSigns } from '../ports/store/nodes.ts'
import type { Backend } from './database/backends.ts'
import { type Holding, read, writeSoon } from './database/holding.ts'
import type { Tables } from './database/schema.ts'

export const nodes = (holding: Holding): NodeReads & NodeSigns => ({
  nodes: () =>
    read(holding, async (db) => {
      const now = sql.raw<number>(holding.backend.nowMs)
      const rows = await db
        .selectFrom('nodes')
        .innerJoin('nodeSigns', 'nodeSigns.nodeId', 'nodes.id')
        .select(['nodes.id', 'nodes.host', 'nodeSigns.at', now.as('now')])
        .orderBy('nodes.id')
        .execute()
      return rows.map(({ id, host, at, now }) => ({ id, host, silentMs: Math.max(0, now - at) }))
    }),

  giveSign: () => writeSoon(holding, (tx) => writeSign(tx, holding.backend, holding.nodeId)),
})

export async function writeSign(db: Kysely<Tables>, { nowMs }: Backend, nodeId: NodeId): Promise<void> {
  const at = sql.raw<number>(nowMs)
  await db
    .insertInto('nodeSigns')
    .values({ nodeId, at })
    .onConflict((conflict) => conflict.column('nodeId').doUpdateSet({ at }))
    .execute()
}
