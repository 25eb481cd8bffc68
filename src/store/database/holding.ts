// Owns who may write: a node holds the store in an epoch, and only the newest epoch writes.
import type { Kysely, Transaction } from 'kysely'
import { HoldfastError } from '../../domain/errors.ts'
import type { HandledEvent } from '../../domain/journal/cause.ts'
import type { EventDraft } from '../../domain/journal/events.ts'
import type { NodeId, TaskId } from '../../domain/names/ids.ts'
import type { OutboxDraft } from '../../ports/store/outbox.ts'
import type { Database } from './backends.ts'
import { COUNTERS } from './counter-names.ts'
import type { Tables } from './schema.ts'
import { withStoreErrors } from './store-error.ts'

export type Holding = Database & {
  readonly nodeId: NodeId
  readonly epoch: number
  readonly now: () => number
}
export type Tx = Transaction<Tables>
export type NodeFacts = {
  readonly id: NodeId
  readonly host: string
  readonly pid: number
  readonly version: string
}

/** A row of the outbox that waits for the number of its event. */
export type NewsOfEvent = Pick<OutboxDraft, 'parentId' | 'childId' | 'what' | 'at'> & {
  readonly event: EventDraft
}

/**
 * A transaction that is being built. Events and counts are collected here and written at its end: all writers of a node
 * share the rows of the counters, so these rows are locked last and for the shortest time.
 */
export type Writing = Holding & {
  readonly tx: Tx
  readonly events: EventDraft[]
  /** What parents are told of these events. */
  readonly news: NewsOfEvent[]
  /** What these events follow from. */
  readonly cause: HandledEvent | undefined
  readonly counts: Map<string, number>
  /** The tasks that this transaction changes something about. */
  readonly tasks: Set<TaskId>
}

/** After this, an older daemon of the same node can no longer write. */
export async function takeEpoch({ db }: Database, node: NodeFacts, now: number): Promise<number> {
  const row = { ...node, openedAt: now }
  await db
    .insertInto('counters')
    .values(COUNTERS.map((name) => ({ nodeId: node.id, name, value: 0 })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { epoch } = await db
    .insertInto('nodes')
    .values({ ...row, epoch: 1 })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({ ...row, epoch: eb('nodes.epoch', '+', 1) })),
    )
    .returning('epoch')
    .executeTakeFirstOrThrow()
  return epoch
}

export const read = <T>({ db, backend }: Holding, query: (db: Kysely<Tables>) => Promise<T>): Promise<T> =>
  withStoreErrors(backend, () => query(db))

/** One transaction, all of it or nothing; on disk when it returns. Row locks are always taken in this order: node, task, run, counters. */
export const write = async <T>(holding: Holding, change: (tx: Tx) => Promise<T>): Promise<T> => {
  const changed = await writeSoon(holding, change)
  await untilOnDisk(holding)
  return changed
}

/** As `write`, but without waiting for the disk: a crash of the daemon cannot undo it, but a power cut can. */
export const writeSoon = <T>(holding: Holding, change: (tx: Tx) => Promise<T>): Promise<T> =>
  withStoreErrors(holding.backend, () =>
    holding.db.transaction().execute(async (tx) => {
      await checkEpoch(holding, tx)
      return change(tx)
    }),
  )

export const untilOnDisk = ({ backend, disk }: Holding): Promise<void> =>
  withStoreErrors(backend, () => disk.wait())

/** The row stays locked until the commit, so that a newer epoch cannot begin in between. */
async function checkEpoch({ backend, nodeId, epoch }: Holding, tx: Tx): Promise<void> {
  const node = await tx
    .selectFrom('nodes')
    .select('epoch')
    .where('id', '=', nodeId)
    .$if(backend.locksRows, (query) => query.forShare())
    .executeTakeFirst()
  if (node?.epoch !== epoch)
    throw new HoldfastError(
      'STALE_EPOCH',
      `Another daemon has taken over this store: epoch ${epoch} of node ${nodeId} is over, now it is ${node?.epoch}.`,
    )
}
