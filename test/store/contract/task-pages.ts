import { expect, test } from 'vitest'
import type { TaskStatus } from '../../../src/domain/task/machine.ts'
import type { Store } from '../../../src/ports/store/store.ts'
import type { ListFilter } from '../../../src/ports/store/task-lists.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { aMove } from '../../builders/move.ts'
import type { Open } from '../../contract/store-contract.ts'
import { names, pages, total } from '../read-pages.ts'
import { create, launch } from '../samples.ts'
import { markArchived, markTidied } from '../writes.ts'

async function end(store: Store, name: string, as: 'completed' | 'failed' | 'cancelled') {
  const { id } = await launch(store, name)
  await store.commit({ task: aMove(id, 'running', as, { set: { endedAt: NOON } }) })
  await markTidied(store, id)
  return id
}

export function taskPages(open: Open) {
  test('the list in pages: what has not ended comes first, each part newest first, and nothing twice', async () => {
    const store = await open()
    for (const name of ['d1', 'd2', 'd3']) await end(store, name, 'completed')
    await end(store, 'd4', 'failed')
    await create(store, 'a', { createdAt: NOON - 9 })
    await create(store, 'c', { createdAt: NOON + 9 })
    await launch(store, 'b')
    const all = ['c', 'b', 'a', 'd4', 'd3', 'd2', 'd1']
    for (const most of [1, 2, 3, 4, 7, 99]) {
      const read = await pages(store, {}, { most })
      expect(read.flat()).toEqual(all)
      for (const page of read.slice(0, -1)) expect(page).toHaveLength(most)
    }
  })

  test('a limit on ended ones hides none that has not ended', async () => {
    const store = await open()
    for (const name of ['d1', 'd2', 'd3']) await end(store, name, 'completed')
    for (const name of ['a', 'b', 'c']) await create(store, name)
    const first = await store.taskPage({}, { after: null, most: 99, mostEnded: 1 })
    expect(names(first.items)).toEqual(['c', 'b', 'a', 'd3'])
    const rest = await store.taskPage({}, { after: first.next, most: 99, mostEnded: 9 })
    expect([names(rest.items), rest.next]).toEqual([['d2', 'd1'], null])
    const none = await store.taskPage({}, { after: null, most: 99, mostEnded: 0 })
    expect(names(none.items)).toEqual(['c', 'b', 'a'])
    const then = await store.taskPage({}, { after: none.next, most: 99, mostEnded: 9 })
    expect([names(then.items), then.next]).toEqual([['d3', 'd2', 'd1'], null])
  })

  test('nothing is left over when the page holds the last', async () => {
    const store = await open()
    const nothing = { items: [], next: null }
    expect(await store.taskPage({}, { after: null, most: 9, mostEnded: 0 })).toEqual(nothing)
    await end(store, 'd1', 'completed')
    expect(await store.taskPage({}, { after: null, most: 1, mostEnded: 1 })).toMatchObject({ next: null })
    expect(await store.taskPage({ statuses: [] }, { after: null, most: 9, mostEnded: 9 })).toEqual(nothing)
  })

  test('pages and totals are of what the filter selects', async () => {
    const store = await open()
    await create(store, 'p1', { tags: ['x'], project: '/other', agent: 'codex' })
    await create(store, 'p2', { tags: ['y'], parentId: taskId('p1') })
    await launch(store, 'r1', { tags: ['x'], role: 'reviewer' })
    const done = await create(store, 'k1', { tags: ['x', 'y'], project: '/other', parentId: taskId('p1') })
    await store.commit({ task: aMove(done.id, 'pending', 'cancelled', { set: { endedAt: NOON } }) })
    await end(store, 'c1', 'completed')
    await markArchived(store, await end(store, 'c2', 'completed'), NOON)
    const tagged = await create(store, 'k2', {
      tags: ['x'],
      project: '/other',
      agent: 'codex',
      parentId: taskId('p1'),
    })
    await store.commit({ task: aMove(tagged.id, 'pending', 'cancelled', { set: { endedAt: NOON } }) })
    await markTidied(store, tagged.id)
    await markArchived(store, tagged.id, NOON)
    const cases: [ListFilter, string[]][] = [
      [{}, ['r1', 'p2', 'p1', 'k1', 'c1']],
      [{ statuses: ['pending'] }, ['p2', 'p1']],
      [{ statuses: ['cancelled', 'running'] }, ['r1', 'k1']],
      [{ tag: 'x' }, ['r1', 'p1', 'k1']],
      [{ tag: 'x', statuses: ['cancelled'] }, ['k1']],
      [{ tag: 'y', statuses: ['pending', 'completed'] }, ['p2']],
      [{ project: '/other' }, ['p1', 'k1']],
      [{ project: '/other', tag: 'y' }, ['k1']],
      [{ project: '/nowhere' }, []],
      [{ agent: 'codex' }, ['p1']],
      [{ agent: 'reviewer' }, ['r1']],
      [{ agent: 'codex', project: '/other' }, ['p1']],
      [{ agent: 'codex', statuses: ['running'] }, []],
      [{ agent: 'codex', archived: true }, ['k2']],
      [{ agent: 'nobody' }, []],
      [{ endedSince: NOON, agent: 'codex' }, []],
      [{ endedSince: NOON, agent: 'codex', archived: true }, ['k2']],
      [{ parent: taskId('p1') }, ['p2', 'k1']],
      [{ parent: taskId('p1'), statuses: ['cancelled'] }, ['k1']],
      [{ parent: taskId('p1'), tag: 'x' }, ['k1']],
      [{ parent: taskId('p1'), project: '/other' }, ['k1']],
      [{ parent: taskId('p1'), archived: true }, ['k2']],
      [{ parent: taskId('p2') }, []],
      [{ states: [{ status: 'running', phase: 'starting' }, { status: 'cancelled' }] }, ['r1', 'k1']],
      [{ states: [{ status: 'running', phase: 'asking' }] }, []],
      [{ states: [{ status: 'pending', hasStarted: true }] }, []],
      [{ states: [{ status: 'pending', hasStarted: false }], tag: 'y' }, ['p2']],
      [{ archived: true }, ['k2', 'c2']],
      [{ archived: true, tag: 'x' }, ['k2']],
      [{ archived: true, project: '/other' }, ['k2']],
      [{ archived: true, statuses: ['completed'] }, ['c2']],
      [{ archived: true, statuses: ['pending'] }, []],
    ]
    for (const [filter, expected] of cases) {
      for (const most of [1, 9]) expect((await pages(store, filter, { most })).flat()).toEqual(expected)
      expect([filter, await total(store, filter)]).toEqual([filter, expected.length])
    }
  })

  test('a filter that leaves out thousands gives short pages, and loses nothing', async () => {
    const store = await open()
    await create(store, 'old', { createdAt: NOON - 9, tags: ['all', 'rare'] })
    await store.commit({ task: aMove(taskId('old'), 'pending', 'cancelled', { set: { endedAt: NOON } }) })
    const many = Array.from({ length: 1050 }, (_, n) => `${n}`)
    for (let at = 0; at < many.length; at += 50)
      await Promise.all(many.slice(at, at + 50).map((name) => create(store, name, { tags: ['all'] })))
    const read = await pages(store, { tag: 'all', statuses: ['cancelled'] }, { most: 5 })
    expect(read.flat()).toEqual(['old'])
    expect(read.length).toBeGreaterThan(1)
    expect((await pages(store, { tag: 'rare' }, { most: 5 })).flat()).toEqual(['old'])
    const counted = (status: TaskStatus) => total(store, { tag: 'all' }, status)
    expect([await counted('pending'), await counted('cancelled')]).toEqual([1050, 1])
  }, 60_000)

  test('totals follow a task into the archive and out of it', async () => {
    const store = await open()
    const id = await end(store, 'one', 'failed')
    const failed = async () => [
      await total(store, {}, 'failed'),
      await total(store, { archived: true }, 'failed'),
      (await store.counts()).failed,
    ]
    expect(await failed()).toEqual([1, 0, 1])
    await markArchived(store, id, NOON)
    expect(await failed()).toEqual([0, 1, 1])
    await store.commit({ task: aMove(id, 'failed', 'reopened', { set: { endedAt: null } }) })
    expect(await failed()).toEqual([0, 0, 0])
    expect(await total(store, {}, 'pending')).toBe(1)
  })

  test('a task knows its place in the queue', async () => {
    const store = await open()
    await create(store, 'low', { priority: 'low', createdAt: NOON - 9 })
    await create(store, 'younger', { createdAt: NOON + 5 })
    await create(store, 'same-b', { createdAt: NOON })
    await create(store, 'same-a', { createdAt: NOON })
    await create(store, 'high', { priority: 'high', createdAt: NOON + 9 })
    const begun = await launch(store, 'begun')
    await store.commit({ task: aMove(begun.id, 'running', 'backed_off') })
    await store.commit({ task: aMove(begun.id, 'running', 'requeued') })
    const queue = await store.queue(99)
    expect(queue).toHaveLength(6)
    for (const [at, { id }] of queue.entries()) expect(await store.queuePosition(id)).toBe(at + 1)
    await launch(store, 'running')
    expect(await store.queuePosition(taskId('running'))).toBeNull()
    expect(await store.queuePosition(taskId('none'))).toBeNull()
  })
}
