// Owns writing notices and their deliveries: each notice is there once, and bound to one delivery before that is sent.
import { HoldfastError } from '../../domain/errors.ts'
import type { NoticeChange } from '../../ports/store/notices.ts'
import type { Tx, Writing } from '../database/holding.ts'
import { appendEvent } from '../journal/append-events.ts'

/** Returns the channels that may have something to do now. */
export async function changeNotices(writing: Writing, change: NoticeChange): Promise<ReadonlySet<string>> {
  const { tx, nodeId } = writing
  const channels = new Set<string>()
  for (const { options, ...draft } of change.notices ?? []) {
    await tx
      .insertInto('notices')
      .values({ ...draft, nodeId, options: JSON.stringify(options), deliveryId: null, dropped: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    channels.add(draft.channel)
  }
  if (change.dropNotices) await dropNotices(tx, change.dropNotices)
  if (change.bindNotices) await bindNotices(writing, change.bindNotices)
  if (change.splitDelivery) await splitDelivery(tx, change.splitDelivery)
  if (change.taken) await storeReceipt(tx, change.taken)
  if (change.tried) await storeTry(writing, change.tried)
  if (change.retryNotices) {
    await retrySetAside(writing, change.retryNotices)
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
      taken: '[]',
    })
    .execute()
}

/** The parts are in the place of the whole: before what came later. */
async function splitDelivery(
  tx: Tx,
  { id, before, parts }: NonNullable<NoticeChange['splitDelivery']>,
): Promise<void> {
  const whole = await tx
    .deleteFrom('deliveries')
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('tries', '=', before)
    .returningAll()
    .executeTakeFirst()
  if (whole === undefined)
    throw new HoldfastError('TRANSITION_CONFLICT', `Another try of delivery ${id} was stored meanwhile.`)
  for (const [place, part] of parts.entries()) {
    const { nextAt } = part
    await tx
      .insertInto('deliveries')
      .values({ ...whole, id: part.id, tries: 0, nextAt, createdAt: whole.createdAt + place, error: null })
      .execute()
    await tx
      .updateTable('notices')
      .set({ deliveryId: part.id })
      .where('id', 'in', part.notices)
      .where('deliveryId', '=', id)
      .execute()
  }
}

/** Only the node that makes a delivery writes to it, and one try after the other. */
async function storeReceipt(tx: Tx, { id, receiver }: NonNullable<NoticeChange['taken']>): Promise<void> {
  const row = await tx.selectFrom('deliveries').select('taken').where('id', '=', id).executeTakeFirstOrThrow()
  const taken = [...new Set([...(JSON.parse(row.taken) as string[]), receiver])]
  await tx
    .updateTable('deliveries')
    .set({ taken: JSON.stringify(taken) })
    .where('id', '=', id)
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
  { tx, nodeId }: Writing,
  { channel, at }: NonNullable<NoticeChange['retryNotices']>,
): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ state: 'waiting', tries: 0, nextAt: at, createdAt: at, settledAt: null })
    .where('channel', '=', channel)
    .where('nodeId', '=', nodeId)
    .where('state', '=', 'set_aside')
    .execute()
}
