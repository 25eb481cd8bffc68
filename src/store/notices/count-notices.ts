// Owns counting what waits for each channel, and when it was last told something. What was told long ago is not walked.
import type { ChannelCounts, NoticeReads } from '../../ports/store/notices.ts'
import { type Holding, read } from '../database/holding.ts'

type Count = { readonly channel: string; readonly count: number | string | null }

export const noticeCounts = (holding: Holding): Pick<NoticeReads, 'noticeCounts'> => ({
  noticeCounts: (names) =>
    read(holding, async (db) => {
      const unbound = await db
        .selectFrom('notices')
        .select(({ fn }) => ['channel', fn.countAll<number | string>().as('count')])
        .where('nodeId', '=', holding.nodeId)
        .where('deliveryId', 'is', null)
        .where('dropped', 'is', null)
        .groupBy('channel')
        .execute()
      const unsent = await db
        .selectFrom('deliveries')
        .select(({ selectFrom }) => [
          'channel',
          'state',
          'error',
          selectFrom('notices')
            .select(({ fn }) => fn.countAll<number | string>().as('count'))
            .whereRef('notices.deliveryId', '=', 'deliveries.id')
            .as('count'),
        ])
        .where('nodeId', '=', holding.nodeId)
        .where('state', '!=', 'sent')
        .orderBy('channel')
        .orderBy('createdAt')
        .orderBy('id')
        .execute()
      const channels = new Set([...names, ...[...unbound, ...unsent].map(({ channel }) => channel)])
      const counts: ChannelCounts[] = []
      for (const channel of [...channels].sort()) {
        const isOwn = (row: { readonly channel: string }) => row.channel === channel
        const own = unsent.filter(isOwn)
        const last = await db
          .selectFrom('deliveries')
          .select(({ fn }) => fn.max('settledAt').as('at'))
          .where('channel', '=', channel)
          .where('nodeId', '=', holding.nodeId)
          .where('state', '=', 'sent')
          .executeTakeFirst()
        counts.push({
          channel,
          waiting: sum([...unbound.filter(isOwn), ...own.filter(({ state }) => state === 'waiting')]),
          setAside: sum(own.filter(({ state }) => state === 'set_aside')),
          lastSentAt: last?.at ?? null,
          lastError: own.findLast(({ error }) => error !== null)?.error ?? null,
        })
      }
      return counts
    }),
})

const sum = (rows: readonly Count[]) => rows.reduce((all, { count }) => all + Number(count), 0)
