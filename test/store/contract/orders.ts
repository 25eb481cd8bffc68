import { expect, test } from 'vitest'
import { asOrderId } from '../../../src/domain/names/ids.ts'
import type { OrderDraft } from '../../../src/domain/task/order.ts'
import { anAudit } from '../../builders/audit.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { aMove } from '../../builders/move.ts'
import { anOrderDraft } from '../../builders/orders.ts'
import type { NewPlace, Open } from '../../contract/store-contract.ts'
import { rejectsWith } from '../expectations.ts'
import { create, launch } from '../samples.ts'
import { markTidied, removeTask } from '../writes.ts'

const draft = (name: string, changes?: Partial<OrderDraft>) => anOrderDraft(taskId(name), changes)

export function orders(newPlace: NewPlace) {
  const open: Open = async () => (await newPlace()).open()

  test('an order is stored with what it was given for, begun at once by the owner, and told', async () => {
    const store = await open()
    const { runId } = await launch(store, 'one')
    const { events } = await store.commit({ giveOrder: draft('one') })
    const stored = await store.order(draft('one').id)
    expect(stored).toEqual({
      ...draft('one'),
      state: 'begun',
      version: 2,
      runId,
      settledAt: null,
      tookEffect: 0,
      outcome: null,
    })
    expect(events).toMatchObject([{ kind: 'order_given', data: { kind: 'resume', by: 'ada' } }])
    expect(await store.openOrders()).toEqual([stored])
    expect(await store.ordersOf(taskId('one'), 9)).toEqual([stored])
    expect(await store.taskVersion(taskId('one'))).toBe(2)
    expect(await store.taskVersion(taskId('none'))).toBeUndefined()
  })

  test('an order that took effect says so, and no other does', async () => {
    const store = await open()
    for (const name of ['one', 'two']) {
      await create(store, name)
      await store.commit({ giveOrder: draft(name) })
    }
    await store.commit({ effectOf: draft('one').id, audit: anAudit() })
    expect(await store.openOrders()).toMatchObject([
      { id: draft('one').id, tookEffect: 1, state: 'begun' },
      { id: draft('two').id, tookEffect: 0 },
    ])
  })

  test('an order is settled once', async () => {
    const store = await open()
    await create(store, 'one')
    const { id } = draft('one')
    await store.commit({ giveOrder: draft('one') })
    const settle = {
      order: { id, from: 'begun', to: 'done', at: NOON + 1, outcome: { acted: true } },
    } as const
    const { events } = await store.commit(settle)
    expect(events).toMatchObject([{ kind: 'order_settled', data: { id, state: 'done' } }])
    await rejectsWith(store.commit(settle), 'TRANSITION_CONFLICT')
    expect(await store.order(id)).toMatchObject({
      state: 'done',
      settledAt: NOON + 1,
      outcome: { acted: true },
    })
    expect(await store.openOrders()).toEqual([])
  })

  test('of several orders for one task the first begins, the others wait; a kill begins at once and voids those that wait', async () => {
    const store = await open()
    await create(store, 'one')
    const give = (id: string, kind: OrderDraft['kind']) =>
      store.commit({ giveOrder: draft('one', { id: asOrderId(id), kind }) })
    const stateOf = async (id: string) => (await store.order(asOrderId(id)))?.state
    await give('first', 'takeover')
    await give('second', 'resume')
    expect([await stateOf('first'), await stateOf('second')]).toEqual(['begun', 'placed'])
    const { events } = await give('third', 'kill')
    expect([await stateOf('first'), await stateOf('second'), await stateOf('third')]).toEqual([
      'begun',
      'too_late',
      'begun',
    ])
    expect(events).toMatchObject([
      { kind: 'order_settled', data: { id: 'second', state: 'too_late' } },
      { kind: 'order_given', data: { id: 'third' } },
    ])
  })

  test('a second order with the same key for the same task is refused', async () => {
    const store = await open()
    await create(store, 'one')
    await create(store, 'two')
    await store.commit({ giveOrder: draft('one', { key: 'k' }) })
    const again = draft('one', { key: 'k', id: asOrderId('another') })
    await rejectsWith(store.commit({ giveOrder: again }), 'TRANSITION_CONFLICT')
    await store.commit({ giveOrder: draft('two', { key: 'k' }) })
    expect((await store.orderWithKey(taskId('one'), 'k'))?.id).toBe(draft('one').id)
    expect(await store.orderWithKey(taskId('one'), 'other')).toBeUndefined()
  })

  test('an order for another node’s task waits there, until an order to kill makes it too late', async () => {
    const place = await newPlace()
    const [a, b] = [await place.open('node-a'), await place.open('node-b')]
    await create(a, 'of-a')
    await b.commit({ giveOrder: draft('of-a') })
    expect(await b.openOrders()).toEqual([])
    expect(await a.openOrders()).toMatchObject([{ state: 'placed' }])
    await b.commit({ giveOrder: draft('of-a', { id: asOrderId('kill'), kind: 'kill' }) })
    expect(await a.order(draft('of-a').id)).toMatchObject({
      state: 'too_late',
      outcome: { code: 'ORDER_TOO_LATE' },
    })
    expect(await a.openOrders()).toMatchObject([{ kind: 'kill', state: 'placed' }])
  })

  test('of two orders to kill another node’s task neither makes the other too late', async () => {
    const place = await newPlace()
    const [a, b] = [await place.open('node-a'), await place.open('node-b')]
    await create(a, 'of-a')
    for (const id of ['first', 'second'])
      await b.commit({ giveOrder: draft('of-a', { id: asOrderId(id), kind: 'kill' }) })
    await a.commit({ giveOrder: draft('of-a', { id: asOrderId('own'), kind: 'kill' }) })
    expect((await a.openOrders()).map(({ id, state }) => [id, state])).toEqual([
      ['first', 'placed'],
      ['own', 'begun'],
      ['second', 'placed'],
    ])
  })

  test('nobody gives orders to a task that is not there, and a removed one takes its orders with it', async () => {
    const store = await open()
    await rejectsWith(store.commit({ giveOrder: draft('none') }), 'TASK_NOT_FOUND')
    const { id } = await create(store, 'one')
    await store.commit({ giveOrder: draft('one') })
    await store.commit({ task: aMove(id, 'pending', 'cancelled') })
    await markTidied(store, id)
    await removeTask(store, id, anAudit({ kind: 'task_removed' }))
    expect(await store.order(draft('one').id)).toBeUndefined()
  })

  test('settled orders are forgotten with the audit, open ones are not', async () => {
    const store = await open()
    for (const name of ['one', 'two']) {
      await create(store, name)
      await store.commit({ giveOrder: draft(name) })
    }
    await store.commit({ order: { id: draft('one').id, from: 'begun', to: 'refused', at: NOON } })
    const never = { eventsBefore: 0, eventsBeforeAll: 0, runsBefore: 0, messagesBefore: 0 }
    await store.prune({ ...never, auditBefore: NOON + 1 }, 99)
    expect(await store.order(draft('one').id)).toBeUndefined()
    expect(await store.order(draft('two').id)).toMatchObject({ state: 'begun' })
  })
}
