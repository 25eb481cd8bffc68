// Owns deleting old notices and deliveries.
import type { Tx } from '../database/holding.ts'

/** Those that nobody is told of any more, and those that were told. */
export async function pruneNotices(tx: Tx, before: number): Promise<void> {
  await tx
    .deleteFrom('notices')
    .where('at', '<', before)
    .where((eb) =>
      eb.or([
        eb('dropped', 'is not', null),
        eb('deliveryId', 'in', (from) =>
          from.selectFrom('deliveries').select('deliveries.id').where('deliveries.state', '!=', 'waiting'),
        ),
      ]),
    )
    .execute()
  await tx
    .deleteFrom('deliveries')
    .where('state', '!=', 'waiting')
    .where('settledAt', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notices').select('notices.id').whereRef('notices.deliveryId', '=', 'deliveries.id'),
        ),
      ),
    )
    .execute()
}
