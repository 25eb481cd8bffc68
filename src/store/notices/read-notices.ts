// Owns reading notices and their deliveries.
import { type Kysely, type Selectable, sql } from 'kysely'
import { BY_URGENCY, type Delivery, type Notice } from '../../domain/notify/notice.ts'
import type { BoundDelivery, NoticeReads } from '../../ports/store/notices.ts'
import { type Holding, read } from '../database/holding.ts'
import type { DeliveryTable, NoticeTable, Tables } from '../database/schema.ts'
import { whenGiven } from '../database/when-given.ts'

export const notices = (holding: Holding): Omit<NoticeReads, 'noticeCounts'> => ({
  notice: (id) =>
    read(holding, async (db) => {
      const row = await db.selectFrom('notices').selectAll().where('id', '=', id).executeTakeFirst()
      return row && noticeOf(row)
    }),

  /** Kind by kind: so none of them has to be sorted. */
  unboundNotices: (channel, most) =>
    read(holding, async (db) => {
      const found: Notice[] = []
      for (const kind of BY_URGENCY) {
        if (found.length >= most) break
        const rows = await db
          .selectFrom('notices')
          .selectAll()
          .where('nodeId', '=', holding.nodeId)
          .where('channel', '=', channel)
          .where('deliveryId', 'is', null)
          .where('dropped', 'is', null)
          .where('kind', '=', kind)
          .orderBy('at')
          .orderBy('id')
          .limit(most - found.length)
          .execute()
        found.push(...rows.map(noticeOf))
      }
      return found
    }),

  nextDelivery: (channel) =>
    read(holding, async (db) => {
      const delivery = await waiting(db, channel, holding)
        .where('taken', '=', NOBODY)
        .orderBy('createdAt')
        .orderBy('id')
        .executeTakeFirst()
      return delivery && bound(db, delivery)
    }),

  nextRemainder: (channel) =>
    read(holding, async (db) => {
      const delivery = await waiting(db, channel, holding)
        .where('taken', '!=', NOBODY)
        .orderBy('nextAt')
        .orderBy('id')
        .executeTakeFirst()
      return delivery && bound(db, delivery)
    }),

  channelsToTell: () =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('notices')
        .select('channel')
        .where('nodeId', '=', holding.nodeId)
        .where('deliveryId', 'is', null)
        .where('dropped', 'is', null)
        .union(
          db
            .selectFrom('deliveries')
            .select('channel')
            .where('nodeId', '=', holding.nodeId)
            .where('state', '=', 'waiting'),
        )
        .execute()
      return rows.map(({ channel }) => channel).sort()
    }),

  noticeLog: ({ channel, most, before }) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('notices')
        .selectAll()
        .$call(whenGiven(channel, (query, name) => query.where('channel', '=', name)))
        .$call(
          whenGiven(before, (query, { at, id }) =>
            query.where(sql<boolean>`(${sql.ref('at')}, ${sql.ref('id')}) < (${at}, ${id})`),
          ),
        )
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(most)
        .execute()
      const ids = [...new Set(rows.flatMap(({ deliveryId }) => deliveryId ?? []))]
      const deliveries =
        ids.length === 0 ? [] : await db.selectFrom('deliveries').selectAll().where('id', 'in', ids).execute()
      const byId = new Map(deliveries.map((one) => [one.id, deliveryOf(one)]))
      return rows.map((row) => ({ ...noticeOf(row), delivery: byId.get(row.deliveryId ?? '') ?? null }))
    }),
})

/** As it is stored. */
const NOBODY = '[]'

const waiting = (db: Kysely<Tables>, channel: string, { nodeId }: Holding) =>
  db
    .selectFrom('deliveries')
    .selectAll()
    .where('channel', '=', channel)
    .where('nodeId', '=', nodeId)
    .where('state', '=', 'waiting')
    .limit(1)

async function bound(db: Kysely<Tables>, delivery: Selectable<DeliveryTable>): Promise<BoundDelivery> {
  const rows = await db
    .selectFrom('notices')
    .selectAll()
    .where('deliveryId', '=', delivery.id)
    .orderBy('at')
    .orderBy('id')
    .execute()
  return { ...deliveryOf(delivery), notices: rows.map(noticeOf) }
}

const noticeOf = (row: Selectable<NoticeTable>): Notice => ({ ...row, options: JSON.parse(row.options) })
const deliveryOf = (row: Selectable<DeliveryTable>): Delivery => ({ ...row, taken: JSON.parse(row.taken) })
