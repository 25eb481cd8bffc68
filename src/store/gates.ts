// Owns the gates that tasks wait behind.
import type { Store } from '../ports/store.ts'
import type { Gate } from '../ports/store-changes.ts'
import { writeEvent } from './events.ts'
import { type Holding, read, type Tx } from './holding.ts'

export const gates = (holding: Holding): Pick<Store, 'gates'> => ({
  gates: () =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('gates')
        .selectAll()
        .where('nodeId', '=', holding.nodeId)
        .orderBy('until')
        .orderBy('key')
        .execute()
      return rows.map(({ nodeId: _, ...gate }) => gate)
    }),
})

export async function closeGate(tx: Tx, holding: Holding, gate: Gate): Promise<void> {
  const { nodeId } = holding
  await tx
    .insertInto('gates')
    .values({ ...gate, nodeId })
    .onConflict((conflict) => conflict.columns(['nodeId', 'key']).doUpdateSet(gate))
    .execute()
  const { key, kind, reason, until, canary } = gate
  const data = { key, kind, reason, until, canary }
  await writeEvent(tx, holding, { at: holding.now(), kind: 'gate_closed', taskId: null, data })
}

export async function openGate(tx: Tx, holding: Holding, key: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('gates')
    .where('nodeId', '=', holding.nodeId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n)
    await writeEvent(tx, holding, { at: holding.now(), kind: 'gate_opened', taskId: null, data: { key } })
}
