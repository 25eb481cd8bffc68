// Owns deleting old notices and deliveries.
import type { Tx } from '../database/holding.ts'

/** Those that nobody is told of any more, and those that were told; at most so many of each. */
export async function pruneNotices(tx: Tx, before: number, most: number): Promise<void> {
  await tx
    .deleteFrom('notices')
    .where('id', 'in', (from) =>
      from
        .selectFrom('notices')
        .select('notices.id')
        .where('notices.at', '<', before)
        .where(({ or, eb, exists, selectFrom }) =>
          or([
            eb('notices.dropped', 'is not', null),
            exists(
              selectFrom('deliveries')
                .select('deliveries.id')
                .whereRef('deliveries.id', '=', 'notices.deliveryId')
                .where('deliveries.state', '!=', 'waiting'),
            ),
          ]),
        )
        .orderBy('notices.at')
        .limit(most),
    )
    .execute()
  await tx
    .deleteFrom('deliveries')
    .where('id', 'in', (from) =>
      from
        .selectFrom('deliveries')
        .select('deliveries.id')
        .where('deliveries.state', '!=', 'waiting')
        .where('deliveries.settledAt', '<', before)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('notices').select('notices.id').whereRef('notices.deliveryId', '=', 'deliveries.id'),
            ),
          ),
        )
        .orderBy('deliveries.settledAt')
        .limit(most),
    )
    .execute()
}
