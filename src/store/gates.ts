// Owns the gates that tasks wait behind.

import type { Gate } from '../ports/store/gates.ts'
import type { Store } from '../ports/store/store.ts'
import { type Holding, read, type Writing } from './database/holding.ts'
import { appendEvent } from './journal/append-events.ts'

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
      return rows.map(({ nodeId: _, failed, ...gate }) => ({ ...gate, failed: JSON.parse(failed) }))
    }),
})

export async function closeGate(writing: Writing, gate: Gate): Promise<void> {
  const { tx, nodeId, now } = writing
  const row = { ...gate, failed: JSON.stringify(gate.failed) }
  await tx
    .insertInto('gates')
    .values({ ...row, nodeId })
    .onConflict((conflict) => conflict.columns(['nodeId', 'key']).doUpdateSet(row))
    .execute()
  const { key, kind, reason, until, canary } = gate
  const data = { key, kind, reason, until, canary }
  appendEvent(writing, { at: now(), kind: 'gate_closed', taskId: null, data })
}

export async function openGate(writing: Writing, key: string): Promise<void> {
  const { tx, nodeId, now } = writing
  const { numDeletedRows } = await tx
    .deleteFrom('gates')
    .where('nodeId', '=', nodeId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n)
    appendEvent(writing, { at: now(), kind: 'gate_opened', taskId: null, data: { key } })
}
