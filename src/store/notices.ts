// Owns notices and their deliveries: each notice is there once, and bound to one delivery before that is sent.
import type { Selectable } from 'kysely'
import { HoldfastError } from '../domain/errors.ts'
import type { Notice } from '../domain/notify/notice.ts'
import type { ChannelCounts, NoticeChange, NoticeReads } from '../ports/notices.ts'
import { type Holding, read, type Tx, type Writing } from './database/holding.ts'
import type { NoticeTable } from './database/schema.ts'
import { whenGiven } from './database/when-given.ts'
import { appendEvent } from './journal/append-events.ts'

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

/** Returns the channels that may have something to do now. */
export async function changeNotices(writing: Writing, change: NoticeChange): Promise<ReadonlySet<string>> {
  const { tx } = writing
  const channels = new Set<string>()
  for (const { options, ...draft } of change.notices ?? []) {
    await tx
      .insertInto('notices')
      .values({ ...draft, options: JSON.stringify(options), deliveryId: null, dropped: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    channels.add(draft.channel)
  }
  if (change.dropNotices) await dropNotices(tx, change.dropNotices)
  if (change.bindNotices) await bindNotices(writing, change.bindNotices)
  if (change.tried) await storeTry(writing, change.tried)
  if (change.retryNotices) {
    await retrySetAside(tx, change.retryNotices)
    channels.add(change.retryNotices.channel)
  }
  return channels
}

async function dropNotices(tx: Tx, { ids, why }: NonNullable<NoticeChange['dropNotices']>): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('notices')
    .set({ dropped: why })
    .where('id', 'in', ids)
    .where('deliveryId', 'is', null)
    .where('dropped', 'is', null)
    .execute()
}

async function bindNotices(
  { tx, nodeId }: Writing,
  { id, channel, notices: ids, at }: NonNullable<NoticeChange['bindNotices']>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('notices')
    .set({ deliveryId: id })
    .where('id', 'in', ids)
    .where('deliveryId', 'is', null)
    .where('dropped', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== BigInt(ids.length))
    throw new HoldfastError(
      'TRANSITION_CONFLICT',
      `A notice for '${channel}' is in another delivery already.`,
    )
  await tx
    .insertInto('deliveries')
    .values({
      id,
      channel,
      nodeId,
      state: 'waiting',
      tries: 0,
      nextAt: at,
      createdAt: at,
      settledAt: null,
      error: null,
    })
    .execute()
}

/** One that is set aside is told in the journal: people have to look at it. */
async function storeTry(
  writing: Writing,
  { id, channel, before, state, nextAt, error, at }: NonNullable<NoticeChange['tried']>,
): Promise<void> {
  const { numUpdatedRows } = await writing.tx
    .updateTable('deliveries')
    .set({ state, tries: before + 1, nextAt, error, settledAt: state === 'waiting' ? null : at })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('tries', '=', before)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n)
    throw new HoldfastError('TRANSITION_CONFLICT', `Another try of delivery ${id} was stored meanwhile.`)
  if (state === 'set_aside')
    appendEvent(writing, {
      at,
      kind: 'delivery_set_aside',
      taskId: null,
      data: { channel, delivery: id, why: error ?? '' },
    })
}

async function retrySetAside(
  tx: Tx,
  { channel, at }: NonNullable<NoticeChange['retryNotices']>,
): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ state: 'waiting', tries: 0, nextAt: at, createdAt: at, settledAt: null })
    .where('channel', '=', channel)
    .where('state', '=', 'set_aside')
    .execute()
}

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
