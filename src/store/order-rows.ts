// Owns the rows of orders: given once, begun, settled.
import { type Selectable, sql } from 'kysely'
import { HoldfastError } from '../domain/errors.ts'
import type { OrderId, TaskId } from '../domain/names/ids.ts'
import type { Order, OrderDraft } from '../domain/task/order.ts'
import type { Change } from '../ports/store/commits.ts'
import type { OrderReads } from '../ports/store/orders.ts'
import { type Holding, read, type Tx, type Writing } from './database/holding.ts'
import type { OrderTable } from './database/schema.ts'
import { appendEvent } from './journal/append-events.ts'
import { lockTask } from './lock-task.ts'

export const orderRows = (holding: Holding): OrderReads => ({
  order: (id) =>
    read(holding, async (db) => {
      const row = await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()
      return row && orderOf(row)
    }),

  orderWithKey: (taskId, key) =>
    read(holding, async (db) => {
      const row = await db
        .selectFrom('orders')
        .selectAll()
        .where('taskId', '=', taskId)
        .where('key', '=', key)
        .executeTakeFirst()
      return row && orderOf(row)
    }),

  ordersOf: (taskId, most) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('orders')
        .selectAll()
        .where('taskId', '=', taskId)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(most)
        .execute()
      return rows.map(orderOf)
    }),

  openOrders: () =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('orders')
        .innerJoin('tasks', 'tasks.id', 'orders.taskId')
        .selectAll('orders')
        .where('orders.state', 'in', ['placed', 'begun'])
        .where('tasks.nodeId', '=', holding.nodeId)
        .orderBy('orders.at')
        .orderBy('orders.id')
        .execute()
      return rows.map(orderOf)
    }),

  taskVersion: (id) =>
    read(holding, async (db) => {
      const row = await db.selectFrom('tasks').select('moves').where('id', '=', id).executeTakeFirst()
      return row?.moves
    }),
})

/**
 * The order begins at once if the task belongs to this node and no other order for it is open. A kill waits for no other
 * one, and makes those that wait too late; but not other kills, whose wish comes true.
 */
export async function placeOrder(writing: Writing, draft: OrderDraft): Promise<void> {
  const { tx, nodeId } = writing
  const { id, taskId, kind, by, at } = draft
  await lockTask(writing, taskId)
  const task = await tx
    .selectFrom('tasks')
    .select(['moves', 'runId', 'nodeId'])
    .where('id', '=', taskId)
    .executeTakeFirstOrThrow()
  if (kind === 'kill') await voidWaiting(writing, taskId, at)
  const begins = task.nodeId === nodeId && (kind === 'kill' || !(await hasOpenOrder(tx, taskId)))
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('orders')
    .values({
      ...draft,
      state: begins ? 'begun' : 'placed',
      version: task.moves,
      runId: task.runId,
      settledAt: null,
      tookEffect: 0,
      outcome: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n)
    throw new HoldfastError('TRANSITION_CONFLICT', 'This order was given before.')
  appendEvent(writing, { at, kind: 'order_given', taskId, data: { id, kind, by } })
}

const hasOpenOrder = async (tx: Tx, taskId: TaskId): Promise<boolean> =>
  (await tx
    .selectFrom('orders')
    .select('id')
    .where('taskId', '=', taskId)
    .where('state', 'in', ['placed', 'begun'])
    .limit(1)
    .executeTakeFirst()) !== undefined

async function voidWaiting(writing: Writing, taskId: TaskId, at: number): Promise<void> {
  const outcome = JSON.stringify({
    code: 'ORDER_TOO_LATE',
    message: 'The task was ordered to end meanwhile.',
    waysOut: [],
  })
  const voided = await writing.tx
    .updateTable('orders')
    .set({ state: 'too_late', settledAt: at, outcome })
    .where('taskId', '=', taskId)
    .where('state', '=', 'placed')
    .where('kind', '!=', 'kill')
    .returning(['id', 'kind'])
    .execute()
  for (const { id, kind } of voided)
    appendEvent(writing, { at, kind: 'order_settled', taskId, data: { id, kind, state: 'too_late' } })
}

export async function moveOrder(
  writing: Writing,
  { id, from, to, at, outcome }: NonNullable<Change['order']>,
): Promise<void> {
  const moved = await writing.tx
    .updateTable('orders')
    .set({
      state: to,
      settledAt: to === 'begun' ? null : at,
      outcome: outcome === undefined ? null : JSON.stringify(outcome),
    })
    .where('id', '=', id)
    .where('state', '=', from)
    .returning(['taskId', 'kind'])
    .executeTakeFirst()
  if (moved === undefined)
    throw new HoldfastError('TRANSITION_CONFLICT', `Order ${id} is not ${from} any more.`)
  const { taskId, kind } = moved
  if (to !== 'begun')
    appendEvent(writing, { at, kind: 'order_settled', taskId, data: { id, kind, state: to } })
}

/** Nothing changes for one that was removed with its task meanwhile. */
export async function noteEffect({ tx }: Writing, id: OrderId): Promise<void> {
  await tx.updateTable('orders').set({ tookEffect: 1 }).where('id', '=', id).execute()
}

export async function pruneOrders(tx: Tx, before: number, most: number): Promise<void> {
  await tx
    .deleteFrom('orders')
    .where('id', 'in', (from) =>
      from
        .selectFrom('orders')
        .select('id')
        .where('settledAt', '<', before)
        .orderBy(sql.ref('settledAt'))
        .limit(most),
    )
    .execute()
}

const orderOf = (row: Selectable<OrderTable>): Order => ({
  ...row,
  outcome: row.outcome === null ? null : JSON.parse(row.outcome),
})
