import { expect, test } from 'vitest'
import type { Store } from '../../../src/ports/store/store.ts'
import type { ListFilter } from '../../../src/ports/store/task-lists.ts'
import type { TaskDraft } from '../../../src/ports/store/tasks.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { aMove } from '../../builders/move.ts'
import type { Open } from '../../contract/store-contract.ts'
import { names, pages, total } from '../read-pages.ts'
import { create } from '../samples.ts'
import { markArchived, markTidied } from '../writes.ts'

type Ended = Partial<TaskDraft> & { readonly as?: 'completed' | 'failed' | 'cancelled' }

/** A task that ended so many ms after noon. */
async function ended(store: Store, name: string, at: number, { as = 'completed', ...draft }: Ended = {}) {
  const { id } = await create(store, name, draft)
  await store.commit({ task: aMove(id, 'pending', 'launched') })
  await store.commit({ task: aMove(id, 'running', as, { set: { endedAt: NOON + at } }) })
  return id
}

const since = (at: number, filter: ListFilter = {}): ListFilter => ({ ...filter, endedSince: NOON + at })

export function taskEnds(open: Open) {
  test('those that ended since a time: the last one first, whenever they were created, and nothing twice', async () => {
    const store = await open()
    await ended(store, 'oldest-ends-last', 90, { createdAt: NOON - 99 })
    await ended(store, 'too-early', 9, { createdAt: NOON + 9 })
    for (const name of ['same-b', 'same-a', 'same-c']) await ended(store, name, 50)
    await ended(store, 'at-the-time', 10, { createdAt: NOON + 5 })
    await ended(store, 'failed', 60, { as: 'failed' })
    await ended(store, 'cancelled', 40, { as: 'cancelled' })
    await create(store, 'has-not-ended')
    const all = ['oldest-ends-last', 'failed', 'same-c', 'same-b', 'same-a', 'cancelled', 'at-the-time']
    for (const most of [1, 2, 3, 7, 99]) {
      const read = await pages(store, since(10), { most })
      expect(read.flat()).toEqual(all)
      for (const page of read.slice(0, -1)) expect(page).toHaveLength(most)
    }
    expect((await pages(store, since(10), { most: 99, mostEnded: 3 })).map(({ length }) => length)).toEqual([
      3, 3, 1,
    ])
    expect((await pages(store, since(91), { most: 99 })).flat()).toEqual([])
    expect([await total(store, since(10)), await total(store, since(10), 'failed')]).toEqual([7, 1])
    expect([await total(store, since(50)), await total(store, since(91))]).toEqual([5, 0])
  })

  test('what ends while pages are read comes before them, and none of them is lost', async () => {
    const store = await open()
    for (const at of [1, 2, 3, 4]) await ended(store, `e${at}`, at)
    const first = await store.taskPage(since(0), { after: null, most: 2, mostEnded: 2 })
    await ended(store, 'meanwhile', 5)
    const second = await store.taskPage(since(0), { after: first.next, most: 9, mostEnded: 9 })
    expect([names(first.items), names(second.items), second.next]).toEqual([['e4', 'e3'], ['e2', 'e1'], null])
    expect((await pages(store, since(0), { most: 9 })).flat()[0]).toBe('meanwhile')
    const none = await store.taskPage(since(0), { after: null, most: 9, mostEnded: 0 })
    expect(names(none.items)).toEqual([])
    const then = await store.taskPage(since(0), { after: none.next, most: 9, mostEnded: 9 })
    expect(names(then.items)).toEqual(['meanwhile', 'e4', 'e3', 'e2', 'e1'])
  })

  test('pages and totals of those that ended since a time are of what the filter selects', async () => {
    const store = await open()
    await create(store, 'p')
    const child = { tags: ['x'], project: '/other', parentId: taskId('p') }
    await ended(store, 'a', 1, child)
    await ended(store, 'b', 2, { tags: ['x'] })
    await ended(store, 'c', 3, { ...child, as: 'failed' })
    await ended(store, 'd', 4, { as: 'cancelled' })
    await ended(store, 'r', 5, { runtime: 'reviewer@core', mode: 'interactive' })
    for (const [name, at] of [
      ['k', 6],
      ['l', 7],
    ] as const) {
      const id = await ended(store, name, at, child)
      await markTidied(store, id)
      await markArchived(store, id, NOON + 9)
    }
    const cases: [ListFilter, string[]][] = [
      [{}, ['d', 'c', 'b', 'a']],
      [{ runtimes: true }, ['r', 'd', 'c', 'b', 'a']],
      [{ tag: 'x' }, ['c', 'b', 'a']],
      [{ project: '/other' }, ['c', 'a']],
      [{ parent: taskId('p') }, ['c', 'a']],
      [{ parent: taskId('p'), statuses: ['failed'] }, ['c']],
      [{ statuses: ['cancelled', 'completed'] }, ['d', 'b', 'a']],
      [{ states: [{ status: 'failed' }] }, ['c']],
      [{ statuses: ['running', 'failed'] }, ['c']],
      [{ statuses: ['pending'] }, []],
      [{ archived: true }, ['l', 'k']],
      [{ archived: true, tag: 'x', project: '/other' }, ['l', 'k']],
      [{ archived: true, parent: taskId('p') }, ['l', 'k']],
      [{ archived: true, statuses: ['failed'] }, []],
    ]
    for (const [filter, expected] of cases) {
      for (const most of [1, 9])
        expect([filter, (await pages(store, since(1, filter), { most })).flat()]).toEqual([filter, expected])
      expect([filter, await total(store, since(1, filter))]).toEqual([filter, expected.length])
    }
    expect((await pages(store, since(3, { tag: 'x' }), { most: 9 })).flat()).toEqual(['c'])
    expect((await pages(store, since(7, { archived: true }), { most: 9 })).flat()).toEqual(['l'])
  })

  test('a task that is opened again leaves the list, and stands at its new end later', async () => {
    const store = await open()
    const id = await ended(store, 'one', 1)
    await ended(store, 'two', 2)
    await store.commit({ task: aMove(id, 'completed', 'reopened', { set: { endedAt: null } }) })
    expect((await pages(store, since(0), { most: 9 })).flat()).toEqual(['two'])
    await store.commit({ task: aMove(id, 'pending', 'cancelled', { set: { endedAt: NOON + 3 } }) })
    expect((await pages(store, since(0), { most: 9 })).flat()).toEqual(['one', 'two'])
    expect(await total(store, since(3))).toBe(1)
  })
}
