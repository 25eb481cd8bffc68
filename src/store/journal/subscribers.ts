// Owns durable readers of the journal. Each has one holder, and its place moves only from where it was read.
import type { Kysely } from 'kysely'
import { HoldfastError } from '../../domain/errors.ts'
import type { JournalPlace } from '../../domain/journal/place.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { JournalReaders, JournalReads, SetAside, Subscriber } from '../../ports/store/journal.ts'
import { type Holding, read, type Tx, type Writing, write } from '../database/holding.ts'
import type { Tables } from '../database/schema.ts'
import { whenGiven } from '../database/when-given.ts'
import { placeAtEnd } from './read-journal.ts'

type Reads = Pick<JournalReads, 'cursor' | 'subscribers' | 'setAsides' | 'setAsideCounts'>

export const subscribers = (holding: Holding): Reads & JournalReaders => ({
  cursor: (name) =>
    read(holding, async (db) => {
      const row = await db.selectFrom('cursors').select('seq').where('name', '=', name).executeTakeFirst()
      return row?.seq
    }),

  moveCursor: (name, seq, at) =>
    write(holding, async (tx) => {
      await tx
        .insertInto('cursors')
        .values({ name, seq, at })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({ seq, at }).where('cursors.seq', '<', seq),
        )
        .execute()
    }),

  takeSubscriber: (name, at) => write(holding, (tx) => takeSubscriber(tx, name, at)),

  dropSubscriber: (name) =>
    write(holding, async (tx) => {
      await tx.deleteFrom('setAside').where('subscriber', '=', name).execute()
      const { numDeletedRows } = await tx
        .deleteFrom('subscribers')
        .where('name', '=', name)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    }),

  subscribers: () => read(holding, allSubscribers),

  setAsides: (subscriber) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('setAside')
        .select(['subscriber', 'at', 'error', 'event'])
        .$call(whenGiven(subscriber, (query, name) => query.where('subscriber', '=', name)))
        .orderBy('nodeId')
        .orderBy('seq')
        .orderBy('subscriber')
        .execute()
      // Rows of earlier versions do not tell what the event follows from.
      return rows.map((row) => ({ ...row, event: { cause: null, depth: 0, ...JSON.parse(row.event) } }))
    }),

  setAsideCounts: () =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('setAside')
        .select(['subscriber', (eb) => eb.fn.countAll<number>().as('count')])
        .groupBy('subscriber')
        .orderBy('subscriber')
        .execute()
      return rows.map(({ subscriber, count }) => ({ subscriber, count: Number(count) }))
    }),
})

export async function allSubscribers(db: Kysely<Tables>): Promise<Subscriber[]> {
  const rows = await db.selectFrom('subscribers').select(['name', 'place', 'epoch']).orderBy('name').execute()
  return rows.map((row) => ({ ...row, place: JSON.parse(row.place) }))
}

async function takeSubscriber(tx: Tx, name: string, at: number): Promise<Subscriber> {
  const place = placeJson(await placeAtEnd(tx))
  const row = await tx
    .insertInto('subscribers')
    .values({ name, place, epoch: 1, at })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ at, epoch: eb('subscribers.epoch', '+', 1) })),
    )
    .returning(['place', 'epoch'])
    .executeTakeFirstOrThrow()
  return { name, epoch: row.epoch, place: JSON.parse(row.place) }
}

/** Compare and set, in the same commit as what the subscriber wrote for these events. */
export async function moveSubscriber(
  { tx, now }: Writing,
  { subscriber, epoch, from, to }: NonNullable<Change['handled']>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('subscribers')
    .set({ place: placeJson(to), at: now() })
    .where('name', '=', subscriber)
    .where('epoch', '=', epoch)
    .where('place', '=', placeJson(from))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n)
    throw new HoldfastError('SUBSCRIBER_TAKEN', `Somebody else reads the journal as '${subscriber}' now.`)
}

/** Sorted, so that the same place is always the same text. */
const placeJson = ({ generation, at }: JournalPlace) =>
  JSON.stringify({ generation, at: Object.fromEntries(Object.entries(at).sort()) })

export async function setEventAside({ tx }: Writing, { event, ...row }: SetAside): Promise<void> {
  const { nodeId, seq } = event
  await tx
    .insertInto('setAside')
    .values({ ...row, nodeId, seq, event: JSON.stringify(event) })
    .onConflict((conflict) => conflict.columns(['subscriber', 'nodeId', 'seq']).doUpdateSet(row))
    .execute()
}

/** TRANSITION_CONFLICT when the event is no longer set aside: somebody else has taken it up. */
export async function takeUpEvent(
  { tx }: Writing,
  { subscriber, nodeId, seq }: NonNullable<Change['takeUp']>,
): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('setAside')
    .where('subscriber', '=', subscriber)
    .where('nodeId', '=', nodeId)
    .where('seq', '=', seq)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n)
    throw new HoldfastError('TRANSITION_CONFLICT', `Event ${seq} is not set aside for '${subscriber}'.`)
}

export async function forgetSubscriber(
  { tx }: Writing,
  { name, epoch }: NonNullable<Change['forgetSubscriber']>,
): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('subscribers')
    .where('name', '=', name)
    .where('epoch', '=', epoch)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n)
    throw new HoldfastError('TRANSITION_CONFLICT', `'${name}' was dropped, or is read again.`)
  await tx.deleteFrom('setAside').where('subscriber', '=', name).execute()
}
