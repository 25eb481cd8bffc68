// Orders that a daemon stored, and what the next one makes of them when it died.
import { expect, onTestFinished, test } from 'vitest'
import { moveTask } from '../../../src/changes/move-task.ts'
import { HoldfastError } from '../../../src/domain/errors.ts'
import { asNodeId, asOrderId, type TaskId } from '../../../src/domain/names/ids.ts'
import type { Config } from '../../../src/domain/settings/config.ts'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import { isSettled, type OrderKind } from '../../../src/domain/task/order.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { orderActs } from '../../../src/supervisor/orders/order-acts.ts'
import { createTask } from '../../../src/supervisor/starting/create-task.ts'
import { aMove } from '../../builders/move.ts'
import { startCore } from '../../helpers/core-world.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { create } from '../../store/samples.ts'

async function world(settings: Partial<Config> = {}) {
  const it = await startCore(settings)
  onTestFinished(() => it.supervisor.stop())
  const { id } = await createTask(it.request('work'), mergeConfig([]).config, it.core)
  const task = async () => (await it.core.store.task(id))!
  return { ...it, id, task, orders: it.supervisor.orders }
}

/** As if a daemon had died right after it stored the order. */
async function stored(
  taskId: TaskId,
  kind: OrderKind,
  { core }: Awaited<ReturnType<typeof world>>,
  agoMs = 0,
) {
  const id = asOrderId(core.ids.random())
  const at = core.clock.now() - agoMs
  await core.store.commit({
    giveOrder: { id, taskId, kind, by: 'ada', at, key: null, words: null, expiresAt: at + 1000 },
  })
  return async () => (await core.store.order(id))!
}

test('an order is carried out, and settled with what came of it', async () => {
  const { id, task, orders, core } = await world()
  const settled = await orders.give({ taskId: id, kind: 'kill', by: 'ada', words: 'enough' })
  expect(await settled()).toBe(true)
  expect(await task()).toMatchObject({ status: 'cancelled', reason: 'enough' })
  expect(await core.store.ordersOf(id, 9)).toMatchObject([{ state: 'done', outcome: { acted: true } }])
  const again = await orders.give({ taskId: id, kind: 'kill', by: 'ada' })
  expect(await again()).toBe(false)
})

test('what cannot be done is refused with its reason, which is stored', async () => {
  const { id, orders, core } = await world()
  const settled = await orders.give({ taskId: id, kind: 'archive', by: 'ada' })
  await expect(settled()).rejects.toMatchObject({ code: 'TASK_ACTIVE' })
  expect(await core.store.ordersOf(id, 9)).toMatchObject([
    { state: 'refused', outcome: { code: 'TASK_ACTIVE' } },
  ])
})

test('given again with its key, also at the same moment, it is one order', async () => {
  const { id, orders, core } = await world()
  const request = { taskId: id, kind: 'kill', by: 'ada', key: 'k-1' } as const
  const all = await Promise.all([orders.give(request), orders.give(request), orders.give(request)])
  expect(await Promise.all(all.map((settled) => settled()))).toEqual([true, true, true])
  const later = await orders.give(request)
  expect(await later()).toBe(true)
  expect(await core.store.ordersOf(id, 9)).toHaveLength(1)
})

test('a key that was given with another order is refused: of another kind, or with other words', async () => {
  const { id, orders } = await world()
  const settled = await orders.give({ taskId: id, kind: 'kill', by: 'ada', key: 'k-1' })
  await settled()
  await expect(orders.give({ taskId: id, kind: 'archive', by: 'ada', key: 'k-1' })).rejects.toMatchObject({
    code: 'KEY_REUSED',
    message: "The key 'k-1' belongs to an earlier order (kill); give this one (archive) a key of its own.",
  })
  await expect(
    orders.give({ taskId: id, kind: 'kill', by: 'ada', key: 'k-1', words: 'because' }),
  ).rejects.toMatchObject({ code: 'KEY_REUSED' })
})

test('an order that is found by its key before it has begun is waited for', async () => {
  const { id, orders, core } = await world()
  const request = { taskId: id, kind: 'kill', by: 'ada', key: 'k-1' } as const
  const { order } = core.store
  let isStored = () => {}
  let mayBegin = () => {}
  const stored = new Promise<void>((resolve) => (isStored = resolve))
  const begins = new Promise<void>((resolve) => (mayBegin = resolve))
  // The first to read it is about to begin it.
  core.store.order = async (one) => {
    core.store.order = order
    isStored()
    await begins
    return order(one)
  }
  const first = orders.give(request)
  await stored
  const settled = (await orders.give(request))()
  mayBegin()
  expect(await settled).toBe(true)
  expect(await (await first)()).toBe(true)
})

test('a store that is locked for a while does not forget what came of an order', async () => {
  const { id, orders, core } = await world()
  const { commit } = core.store
  let locked = 2
  core.store.commit = async (change) => {
    if (change.order !== undefined && locked-- > 0) throw new HoldfastError('STORE_LOCKED', 'locked')
    return commit(change)
  }
  const settled = await orders.give({ taskId: id, kind: 'kill', by: 'ada' })
  expect(await settled()).toBe(true)
  expect(await core.store.ordersOf(id, 9)).toMatchObject([{ state: 'done' }])
})

test('an order that was stored although the store failed then is carried out in a tick, and whoever asks again is told so', async () => {
  const it = await world({ 'reconcile.interval': 20 })
  await it.supervisor.start()
  const { commit } = it.core.store
  it.core.store.commit = async (change) => {
    const committed = await commit(change)
    if (change.giveOrder === undefined) return committed
    it.core.store.commit = commit
    throw new HoldfastError('STORE_UNREACHABLE', 'the connection broke')
  }
  const request = { taskId: it.id, kind: 'kill', by: 'ada', key: 'k-1' } as const
  await expect(it.orders.give(request)).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
  const again = await it.orders.give(request)
  expect(await again()).toBe(true)
  expect(await it.task()).toMatchObject({ status: 'cancelled' })
})

test('what is just being stored is not taken up without the environment that it was given with', async () => {
  const { id, task, orders, core } = await world()
  await (await orders.give({ taskId: id, kind: 'kill', by: 'ada' }))()
  const goOn = slowTakeover()
  const takeover = await orders.give({ taskId: id, kind: 'takeover', by: 'ada' })
  const { order } = core.store
  // A tick, after it is stored and before it has its turn.
  core.store.order = async (one) => {
    core.store.order = order
    await orders.takeUp()
    return order(one)
  }
  const retry = await orders.give({ taskId: id, kind: 'retry', by: 'ada', env: { PATH: '/bin' } })
  goOn()
  await takeover()
  expect(await retry()).toBe(true)
  expect(await task()).toMatchObject({ status: 'pending' })
})

test('one that a daemon did not live to carry out, the next one does', async () => {
  const it = await world()
  const order = await stored(it.id, 'kill', it)
  await it.supervisor.start()
  await waitFor('the order to be settled', async () => (await order()).state === 'done')
  expect(await it.task()).toMatchObject({ status: 'cancelled' })
})

test('one to bring back an ended task is too late for the next daemon, which lacks the environment, and says so', async () => {
  const it = await world()
  const kill = await it.orders.give({ taskId: it.id, kind: 'kill', by: 'ada' })
  await kill()
  const order = await stored(it.id, 'retry', it)
  await it.supervisor.start()
  await waitFor('the order to be settled', async () => (await order()).state === 'too_late')
  expect(await order()).toMatchObject({ outcome: { code: 'ORDER_TOO_LATE' } })
  expect(await it.task()).toMatchObject({ status: 'cancelled' })
})

test('one is not called done because its task has moved by itself meanwhile: it is too late', async () => {
  const it = await world()
  const order = await stored(it.id, 'takeover', it)
  await it.core.store.commit({
    task: moveTask({ id: it.id, from: 'pending', event: 'failed', reason: 'x', evidence: [], at: 1 }),
  })
  await it.supervisor.start()
  await waitFor('the order to be settled', async () => isSettled(await order()))
  expect(await order()).toMatchObject({
    state: 'too_late',
    outcome: { message: 'The order is too late: the task has moved on since the order was given.' },
  })
})

test('one whose effect is there is not repeated', async () => {
  const it = await world()
  const kill = await it.orders.give({ taskId: it.id, kind: 'kill', by: 'ada' })
  await kill()
  const order = await stored(it.id, 'retry', it)
  // The effect, without its settlement.
  const env = { PATH: '/bin' }
  await orderActs.retry({ order: await order(), task: await it.task(), env }, it.core)
  const moves = await it.core.store.taskVersion(it.id)
  await it.supervisor.start()
  await waitFor('the order to be settled', async () => (await order()).state === 'done')
  expect(await it.core.store.taskVersion(it.id)).toBe(moves)
})

test('of two like orders of one person, the one that had no effect is not called done because the other had', async () => {
  const it = await world()
  const kill = await it.orders.give({ taskId: it.id, kind: 'kill', by: 'ada' })
  await kill()
  const order = await stored(it.id, 'retry', it)
  const other = await it.orders.give({ taskId: it.id, kind: 'retry', by: 'ada', env: { PATH: '/bin' } })
  expect(await other()).toBe(true)
  await it.supervisor.start()
  await waitFor('the order to be settled', async () => isSettled(await order()))
  expect(await order()).toMatchObject({ state: 'too_late', tookEffect: 0 })
})

test.each(['resume', 'retry', 'handback', 'unpark'] as const)(
  'a %s that was carried out is known as such',
  async (kind) => {
    const it = await world()
    const facts = { id: it.id, reason: 'x', evidence: [], at: 1 } as const
    await it.core.commit({ task: moveTask({ ...facts, from: 'pending', event: 'launched' }) })
    const goOn = { how: 'fresh', say: null } as const
    await it.core.commit({
      task: moveTask(
        kind === 'unpark'
          ? { ...facts, from: 'running', event: 'backed_off', until: it.core.clock.now() + 60_000, goOn }
          : {
              ...facts,
              from: 'running',
              event: 'escalated',
              set: { sessionId: 'a-session', ...(kind === 'handback' && { mode: 'interactive' as const }) },
            },
      ),
    })
    const settled = await it.orders.give({ taskId: it.id, kind, by: 'ada' })
    expect(await settled()).toBe(true)
    expect(await it.core.store.ordersOf(it.id, 9)).toMatchObject([{ state: 'done', tookEffect: 1 }])
  },
)

/** A takeover that lasts until the test lets it go on. */
function slowTakeover() {
  const { takeover } = orderActs
  let goOn = () => {}
  const allowed = new Promise<void>((resolve) => (goOn = resolve))
  const acts = orderActs as { takeover: typeof takeover }
  acts.takeover = async () => {
    await allowed
    return true
  }
  onTestFinished(() => {
    acts.takeover = takeover
  })
  return () => goOn()
}

test('a kill waits for no other order, and those that wait are too late then', async () => {
  const { id, task, orders } = await world()
  const goOn = slowTakeover()
  const takeover = await orders.give({ taskId: id, kind: 'takeover', by: 'ada' })
  const resume = await orders.give({ taskId: id, kind: 'resume', by: 'ada', env: { PATH: '/bin' } })
  const kill = await orders.give({ taskId: id, kind: 'kill', by: 'ada' })
  expect(await kill()).toBe(true)
  goOn()
  await takeover()
  await expect(resume()).rejects.toMatchObject({
    code: 'ORDER_TOO_LATE',
    message: 'The task was ordered to end meanwhile.',
  })
  expect(await task()).toMatchObject({ status: 'cancelled' })
})

test('an order that waited for its turn is too late when the task has moved on', async () => {
  const { id, task, orders, core } = await world()
  const goOn = slowTakeover()
  const takeover = await orders.give({ taskId: id, kind: 'takeover', by: 'ada' })
  const unpark = await orders.give({ taskId: id, kind: 'unpark', by: 'ada' })
  await core.store.commit({
    task: moveTask({ id, from: 'pending', event: 'failed', reason: 'x', evidence: [], at: 1 }),
  })
  goOn()
  await takeover()
  await expect(unpark()).rejects.toMatchObject({ code: 'ORDER_TOO_LATE' })
  expect(await task()).toMatchObject({ status: 'failed' })
})

test('an order whose turn had not come when the daemon died is begun by the next one', async () => {
  const it = await world()
  await stored(it.id, 'takeover', it)
  const archive = await stored(it.id, 'archive', it)
  expect(await archive()).toMatchObject({ state: 'placed' })
  await it.supervisor.start()
  await waitFor('the order to be settled', async () => isSettled(await archive()))
  expect(await archive()).toMatchObject({ state: 'refused', outcome: { code: 'TASK_ACTIVE' } })
})

test.each([
  ['kill', 'done'],
  ['takeover', 'too_late'],
] as const)('a %s that expired while no daemon ran is %s', async (kind, state) => {
  const it = await world()
  const order = await stored(it.id, kind, it, 10 * 86_400_000)
  await it.supervisor.start()
  await waitFor('the order to be settled', async () => isSettled(await order()))
  expect(await order()).toMatchObject({ state })
})

async function otherNode({ home, clock }: Awaited<ReturnType<typeof world>>) {
  const node = { id: asNodeId('node-2'), host: 'far', pid: 1, version: 'test' }
  const other = await openStore({ path: home.database, node, clock })
  onTestFinished(() => other.close())
  return other
}

test('whoever ordered something of another node’s task waits until it is settled there', async () => {
  const it = await world()
  const other = await otherNode(it)
  const { id } = await create(other, 'two')
  const whenSettled = (await it.orders.give({ taskId: id, kind: 'kill', by: 'ada' }))()
  const [order] = await other.openOrders()
  await other.commit({ order: { id: order!.id, from: 'placed', to: 'begun', at: 1 } })
  const looks: string[] = []
  const { order: read } = it.core.store
  it.core.store.order = async (one) => {
    const found = await read(one)
    looks.push(found!.state)
    return found
  }
  await waitFor('two looks at the begun order', () => looks.length === 2)
  await other.commit({
    order: { id: order!.id, from: 'begun', to: 'done', at: 2, outcome: { acted: true } },
  })
  expect(await whenSettled).toBe(true)
  expect(looks.slice(0, 2)).toEqual(['begun', 'begun'])
})

test('whoever ordered something of a silent node’s task is told so, and the order stays for that node', async () => {
  const it = await world()
  const other = await otherNode(it)
  const { id } = await create(other, 'two')
  const settled = await it.orders.give({ taskId: id, kind: 'kill', by: 'ada' })
  const { nodes } = it.core.store
  it.core.store.nodes = async () => (await nodes()).map((node) => ({ ...node, silentMs: 90_000 }))
  await expect(settled()).rejects.toMatchObject({
    code: 'NODE_SILENT',
    message: `The order (kill) is stored and not carried out: nothing was heard of the daemon of ${id}, on far (node-2), for 1m 30s.`,
  })
  expect(await other.openOrders()).toMatchObject([{ kind: 'kill', state: 'placed' }])
})

test('an ended task of another node is not ordered back: no environment would reach that node', async () => {
  const it = await world()
  const other = await otherNode(it)
  const { id } = await create(other, 'two')
  await other.commit({ task: aMove(id, 'pending', 'cancelled') })
  const order = { taskId: id, kind: 'retry', by: 'ada', env: { PATH: '/bin' } } as const
  await expect(it.orders.give(order)).rejects.toMatchObject({ code: 'OTHER_NODE' })
  expect(await other.openOrders()).toEqual([])
})
