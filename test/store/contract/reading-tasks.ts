import { expect, test } from 'vitest'
import { asRunId } from '../../../src/domain/names/ids.ts'
import { TASK_STATUSES } from '../../../src/domain/task/machine.ts'
import { statesFor } from '../../../src/domain/task/status-view.ts'
import type { Store } from '../../../src/ports/store/store.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { aMove } from '../../builders/move.ts'
import type { Open } from '../../contract/store-contract.ts'
import { create, launch } from '../samples.ts'

export function readingTasks(open: Open) {
  test('the list is newest first and leaves the snapshot out', async () => {
    const store = await open()
    await create(store, 'b', { createdAt: NOON + 1 })
    await create(store, 'c', { createdAt: NOON })
    await create(store, 'a', { createdAt: NOON + 1 })
    const list = await store.tasks()
    expect(list.map(({ id }) => id)).toEqual([taskId('b'), taskId('a'), taskId('c')])
    expect(list.some((task) => 'snapshot' in task)).toBe(false)
    const { snapshot: _, ...summary } = (await store.task(taskId('a')))!
    expect(list[1]).toEqual(summary)
  })

  test('the list is filtered by statuses, tag and project, and limited', async () => {
    const store = await open()
    await create(store, 'a', { createdAt: NOON, tags: ['x', 'y'] })
    await create(store, 'b', { createdAt: NOON + 1, tags: ['y'], project: '/other' })
    await create(store, 'c', { createdAt: NOON + 2, tags: ["y' or 1=1"] })
    await store.commit({ task: aMove(taskId('b'), 'pending', 'cancelled') })
    const ids = async (filter: Parameters<Store['tasks']>[0]) =>
      (await store.tasks(filter)).map(({ id }) => id)
    expect(await ids({ statuses: ['cancelled'] })).toEqual([taskId('b')])
    expect(await ids({ statuses: ['pending', 'cancelled'] })).toEqual(['c', 'b', 'a'].map(taskId))
    expect(await ids({ statuses: [] })).toEqual([])
    expect(await ids({ tag: 'y' })).toEqual(['b', 'a'].map(taskId))
    expect(await ids({ tag: 'y', statuses: ['pending'] })).toEqual([taskId('a')])
    expect(await ids({ project: '/other' })).toEqual([taskId('b')])
    expect(await ids({ limit: 2 })).toEqual(['c', 'b'].map(taskId))
  })

  test('the list is filtered by states: a phase, or whether it ever started', async () => {
    const store = await open()
    for (const [at, name] of ['new', 'again', 'asks'].entries())
      await create(store, name, { createdAt: NOON - at })
    const started = (name: string) => aMove(taskId(name), 'pending', 'launched', { set: { startedAt: NOON } })
    for (const name of ['again', 'asks']) await store.commit({ task: started(name) })
    await store.commit({ task: aMove(taskId('again'), 'running', 'requeued') })
    await store.commit({ task: aMove(taskId('asks'), 'running', 'question_asked') })
    const ids = async (filter: string) => {
      const [listed, rows] = [
        await store.tasks({ states: statesFor(filter) }),
        await store.rowPage({ states: statesFor(filter) }, { after: null, most: 99, mostEnded: 99 }),
      ]
      expect(rows.items.map(({ id }) => id)).toEqual(listed.map(({ id }) => id))
      return listed.map(({ id }) => id)
    }
    expect(await ids('CREATED')).toEqual([taskId('new')])
    expect(await ids('pending')).toEqual(['new', 'again'].map(taskId))
    expect(await ids('RUNNING')).toEqual(['again', 'asks'].map(taskId))
    expect(await ids('asking')).toEqual([taskId('asks')])
    expect(await ids('queued,asking')).toEqual(['new', 'again', 'asks'].map(taskId))
    expect(await ids('COMPLETED')).toEqual([])
  })

  test('ids are found by their beginning, taken literally', async () => {
    const store = await open()
    for (const name of ['a', 'a_b', 'a%b', 'aXb', 'B']) await create(store, name)
    expect(await store.taskIdsLike(taskId('a_'), 9)).toEqual([taskId('a_b')])
    expect(await store.taskIdsLike(taskId('a%'), 9)).toEqual([taskId('a%b')])
    expect(await store.taskIdsLike('2025', 9)).toEqual(['B', 'a', 'a%b', 'aXb', 'a_b'].map(taskId))
    expect(await store.taskIdsLike('2025', 2)).toEqual(['B', 'a'].map(taskId))
    expect(await store.taskIdsLike('nothing', 9)).toEqual([])
  })

  test('ids are found by any part of them, taken literally, the latest first', async () => {
    const store = await open()
    for (const name of ['a_b', 'aXb', 'B-a_b']) await create(store, name)
    expect(await store.taskIdsWith('a_b', 9)).toEqual(['a_b', 'B-a_b'].map(taskId))
    expect(await store.taskIdsWith('B', 9)).toEqual([taskId('B-a_b')])
    expect(await store.taskIdsWith('b', 1)).toEqual([taskId('a_b')])
    expect(await store.taskIdsWith('%', 9)).toEqual([])
  })

  test('tasks of one name: those that have not ended first, the newest first', async () => {
    const store = await open()
    for (const [at, name] of ['ended', 'older', 'newer'].entries())
      await create(store, name, { name: 'nightly', createdAt: NOON + at })
    await create(store, 'other', { name: 'daily' })
    await create(store, 'nameless')
    await store.commit({
      task: { ...aMove(taskId('ended'), 'pending', 'cancelled'), set: { endedAt: NOON } },
    })
    const named = await store.tasksNamed('nightly', 9)
    expect(named.map(({ id }) => id)).toEqual(['newer', 'older', 'ended'].map(taskId))
    expect(named.map(({ status }) => status)).toEqual(['pending', 'pending', 'cancelled'])
    expect(await store.tasksNamed('nightly', 1)).toHaveLength(1)
    expect(await store.tasksNamed('night', 9)).toEqual([])
  })

  test('the newest task is the one created last', async () => {
    const store = await open()
    expect(await store.newestTask()).toBeUndefined()
    await create(store, 'z', { createdAt: NOON })
    await create(store, 'a', { createdAt: NOON + 1 })
    expect(await store.newestTask()).toBe(taskId('a'))
  })

  test('the queue goes by priority, then age, then id, and holds pending tasks only', async () => {
    const store = await open()
    await create(store, 'low', { priority: 'low', createdAt: NOON - 9 })
    await create(store, 'younger', { createdAt: NOON + 5 })
    await create(store, 'same-b', { createdAt: NOON })
    await create(store, 'same-a', { createdAt: NOON })
    await create(store, 'high', { priority: 'high', createdAt: NOON + 9 })
    await launch(store, 'running')
    const order = ['high', 'same-a', 'same-b', 'younger', 'low'].map(taskId)
    expect((await store.queue(10)).map(({ id }) => id)).toEqual(order)
    expect((await store.queue(2)).map(({ id }) => id)).toEqual(order.slice(0, 2))
    expect((await store.queue(1))[0]?.priority).toBe('high')
  })

  test('a child in the queue is found by its parent, until it is launched', async () => {
    const store = await open()
    await launch(store, 'parent')
    await create(store, 'other')
    const parents = [taskId('other'), taskId('parent')]
    expect([await store.hasQueuedChild(parents), await store.hasQueuedChild([])]).toEqual([false, false])
    await create(store, 'child', { parentId: taskId('parent') })
    expect(await store.hasQueuedChild(parents)).toBe(true)
    expect(await store.hasQueuedChild([taskId('other')])).toBe(false)
    await launch(store, 'second', { parentId: taskId('other') })
    expect(await store.hasQueuedChild([taskId('other')])).toBe(false)
  })

  test('what does not exist is undefined or empty', async () => {
    const store = await open()
    expect(await store.task(taskId('none'))).toBeUndefined()
    expect(await store.run(asRunId('none'))).toBeUndefined()
    expect(await store.runsOf(taskId('none'))).toEqual([])
    expect(await store.transitions(taskId('none'))).toEqual([])
    expect(Object.keys(await store.counts()).sort()).toEqual([...TASK_STATUSES].sort())
  })
}
