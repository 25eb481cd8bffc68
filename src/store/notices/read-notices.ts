// Owns reading notices and their deliveries.
import type { Selectable } from 'kysely'
import type { Notice } from '../../domain/notify/notice.ts'
import type { ChannelCounts, NoticeReads } from '../../ports/store/notices.ts'
import { type Holding, read } from '../database/holding.ts'
import type { NoticeTable } from '../database/schema.ts'
import { whenGiven } from '../database/when-given.ts'

export const notices = (holding: Holding): NoticeReads => ({
  notice: (id) =>
    read(holding, async (db) => {
      const row = await db.selectFrom('notices').selectAll().where('id', '=', id).executeTakeFirst()
      return row && noticeOf(row)
    }),

  unboundNotices: (channel, most) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('notices')
        .selectAll()
        .where('channel', '=', channel)
        .where('deliveryId', 'is', null)
        .where('dropped', 'is', null)
        .orderBy('at')
        .orderBy('id')
        .limit(most)
        .execute()
      return rows.map(noticeOf)
    }),

  nextDelivery: (channel) =>
    read(holding, async (db) => {
      const delivery = await db
        .selectFrom('deliveries')
        .selectAll()
        .where('channel', '=', channel)
        .where('nodeId', '=', holding.nodeId)
        .where('state', '=', 'waiting')
        .orderBy('createdAt')
        .orderBy('id')
        .executeTakeFirst()
      if (delivery === undefined) return undefined
      const rows = await db
        .selectFrom('notices')
        .selectAll()
        .where('deliveryId', '=', delivery.id)
        .orderBy('at')
        .orderBy('id')
        .execute()
      return { ...delivery, notices: rows.map(noticeOf) }
    }),

  channelsToTell: () =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('notices')
        .select('channel')
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
            query.where((eb) => eb.or([eb('at', '<', at), eb.and([eb('at', '=', at), eb('id', '<', id)])])),
          ),
        )
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(most)
        .execute()
      const ids = [...new Set(rows.flatMap(({ deliveryId }) => deliveryId ?? []))]
      const deliveries =
        ids.length === 0 ? [] : await db.selectFrom('deliveries').selectAll().where('id', 'in', ids).execute()
      const byId = new Map(deliveries.map((one) => [one.id, one]))
      return rows.map((row) => ({ ...noticeOf(row), delivery: byId.get(row.deliveryId ?? '') ?? null }))
    }),

  noticeCounts: () =>
    read(holding, async (db) => {
      const unbound = await db
        .selectFrom('notices')
        .select(({ fn }) => ['channel', fn.countAll<number | string>().as('count')])
        .where('deliveryId', 'is', null)
        .where('dropped', 'is', null)
        .groupBy('channel')
        .execute()
      const bound = await db
        .selectFrom('deliveries')
        .innerJoin('notices', 'notices.deliveryId', 'deliveries.id')
        .select(({ fn }) => [
          'deliveries.channel',
          'deliveries.state',
          fn.countAll<number | string>().as('count'),
          fn.max('deliveries.settledAt').as('settledAt'),
        ])
        .groupBy(['deliveries.channel', 'deliveries.state'])
        .execute()
      const errors = await db
        .selectFrom('deliveries')
        .select(['channel', 'error'])
        .where('state', '!=', 'sent')
        .where('error', 'is not', null)
        .orderBy('createdAt')
        .execute()
      const channels = new Set([...unbound, ...bound].map(({ channel }) => channel))
      const countOf = (rows: readonly { count: number | string }[]) =>
        rows.reduce((sum, { count }) => sum + Number(count), 0)
      return [...channels].sort().map((channel): ChannelCounts => {
        const own = bound.filter((row) => row.channel === channel)
        const inState = (state: string) => own.filter((row) => row.state === state)
        return {
          channel,
          waiting: countOf([...unbound.filter((row) => row.channel === channel), ...inState('waiting')]),
          setAside: countOf(inState('set_aside')),
          lastSentAt: inState('sent')[0]?.settledAt ?? null,
          lastError: errors.findLast((row) => row.channel === channel)?.error ?? null,
        }
      })
    }),
})

const noticeOf = (row: Selectable<NoticeTable>): Notice => ({ ...row, options: JSON.parse(row.options) })
