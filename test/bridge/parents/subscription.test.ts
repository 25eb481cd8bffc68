import { expect, test } from 'vitest'
import { parentsSubscription } from '../../../src/bridge/parents/subscription.ts'
import type { TaskId } from '../../../src/domain/names/ids.ts'
import { DurableSubscriber } from '../../../src/supervisor/listening/durable-subscriber.ts'
import { aMove } from '../../builders/move.ts'
import { startBridge } from '../bridge-world.ts'

/** A core in which nothing launches, with a family: each task was started by the one before. */
async function family(...names: string[]) {
  const it = await startBridge({ maxConcurrent: 0 })
  const subscriber = new DurableSubscriber(parentsSubscription(it.desk), it.core)
  await subscriber.start()
  const ids: TaskId[] = []
  for (const name of names) ids.push(await it.creates('work', { name, parentId: ids.at(-1) ?? null }))
  let isListening = true
  const handled = async () => {
    if (!isListening) return
    subscriber.hear()
    await subscriber.whenIdle()
  }
  return {
    ...it,
    ids,
    handled,
    /** From now on, what happens is stored and nobody hears of it, as when the daemon is killed with each commit. */
    nobodyListens: () => {
      isListening = false
    },
    move: async (id: TaskId, event: 'cancelled' | 'question_asked' | 'failed') => {
      await it.core.commit({ task: aMove(id, 'pending', event) })
      await handled()
    },
    /** As a version stored it that wrote the row later. */
    moveAsBefore: (id: TaskId, event: 'cancelled' | 'failed') =>
      it.core.commit({ task: aMove(id, 'pending', event, { tellsParent: null }) }),
    unbound: async (id: TaskId) =>
      (await it.core.store.unboundFor(id)).map(({ childId, what }) => [childId, what]),
    escalations: async () =>
      (await it.core.store.events(0, 1000)).filter(({ kind }) => kind === 'escalation'),
  }
}

test('an end and a question of a child are noted for its parent, once', async () => {
  const it = await family('parent', 'child')
  const [parent, child] = it.ids as [TaskId, TaskId]
  await it.move(child, 'failed')
  const sibling = await it.creates('work', { name: 'sibling', parentId: parent })
  await it.move(sibling, 'question_asked')
  await it.handled()
  expect(await it.unbound(parent)).toEqual([
    [child, 'failed'],
    [sibling, 'question_asked'],
  ])
  const again = new DurableSubscriber(parentsSubscription(it.desk), it.core)
  await again.start()
  await again.whenIdle()
  expect(await it.unbound(parent)).toHaveLength(2)
  expect(await it.escalations()).toEqual([])
})

test('nothing is noted for a task that nobody started', async () => {
  const it = await family('alone')
  await it.move(it.ids[0]!, 'cancelled')
  const { events } = await it.core.store.journalAfter(await it.core.store.journalStart(), 99)
  expect(events.map(({ kind }) => kind)).toEqual(['task_created', 'task_cancelled'])
})

test('what an ended parent would be told is for the nearest ancestor that lives', async () => {
  const it = await family('grandparent', 'parent', 'child')
  const [grandparent, parent, child] = it.ids as [TaskId, TaskId, TaskId]
  await it.move(parent, 'cancelled')
  await it.move(child, 'cancelled')
  expect(await it.unbound(parent)).toEqual([])
  expect(await it.unbound(grandparent)).toEqual([
    [parent, 'cancelled'],
    [child, 'cancelled'],
  ])
})

test('what a parent was not told before it ended is passed on to its own parent', async () => {
  const it = await family('grandparent', 'parent', 'child')
  const [grandparent, parent, child] = it.ids as [TaskId, TaskId, TaskId]
  await it.move(child, 'failed')
  expect(await it.unbound(parent)).toEqual([[child, 'failed']])
  await it.move(parent, 'cancelled')
  expect(await it.unbound(grandparent)).toEqual([
    [child, 'failed'],
    [parent, 'cancelled'],
  ])
  expect(await it.escalations()).toEqual([])
})

test('people are told where no ancestor lives, before or after the news', async () => {
  const it = await family('parent', 'child')
  const [parent, child] = it.ids as [TaskId, TaskId]
  const sibling = await it.creates('work', { name: 'sibling', parentId: parent })
  await it.move(child, 'failed')
  await it.move(parent, 'cancelled')
  await it.move(sibling, 'cancelled')
  expect(await it.unbound(parent)).toEqual([])
  expect(await it.escalations()).toMatchObject([
    { taskId: parent, data: { reason: 'it ended before it was told of 1 event of its children' } },
    { taskId: sibling, data: { reason: expect.stringContaining(`${parent}, has ended`) } },
  ])
})

test('the row is there with the move itself, for the nearest ancestor that lives', async () => {
  const it = await family('grandparent', 'parent', 'child')
  const [grandparent, parent, child] = it.ids as [TaskId, TaskId, TaskId]
  it.nobodyListens()
  await it.move(parent, 'failed')
  await it.move(child, 'cancelled')
  expect(await it.unbound(grandparent)).toEqual([
    [parent, 'failed'],
    [child, 'cancelled'],
  ])
})

test('what is passed on to an ancestor is told in the journal, so that it is woken', async () => {
  const it = await family('grandparent', 'parent', 'child')
  const [grandparent, parent, child] = it.ids as [TaskId, TaskId, TaskId]
  await it.move(child, 'failed')
  await it.move(parent, 'cancelled')
  const events = await it.core.store.events(0, 1000)
  const news = events.filter(({ kind, taskId }) => kind === 'child_news' && taskId === grandparent)
  expect(news.map(({ data }) => data)).toEqual([
    { child: parent, what: 'cancelled' },
    { child, what: 'failed' },
  ])
})

test('what an earlier version stored without a row has one when the next daemon has started, once', async () => {
  const it = await family('parent', 'child')
  const [parent, child] = it.ids as [TaskId, TaskId]
  const sibling = await it.creates('work', { name: 'sibling', parentId: parent })
  await it.moveAsBefore(child, 'failed')
  await it.core.commit({ task: aMove(sibling, 'pending', 'failed') })
  expect(await it.unbound(parent)).toEqual([[sibling, 'failed']])
  for (const _ of ['the next daemon', 'and one more'])
    await new DurableSubscriber(parentsSubscription(it.desk), it.core).start()
  expect(await it.unbound(parent)).toEqual([
    [child, 'failed'],
    [sibling, 'failed'],
  ])
})

test('what was left when the events of an end were lost goes on its way, and people are told where nobody lives', async () => {
  const it = await family('grandparent', 'parent', 'child')
  const [grandparent, parent, child] = it.ids as [TaskId, TaskId, TaskId]
  const alone = await it.creates('work', { name: 'alone' })
  const orphan = await it.creates('work', { name: 'orphan', parentId: alone })
  await it.move(child, 'failed')
  await it.move(orphan, 'failed')
  it.nobodyListens()
  await it.move(parent, 'cancelled')
  await it.move(alone, 'cancelled')
  expect([await it.unbound(parent), await it.unbound(alone)]).toEqual([
    [[child, 'failed']],
    [[orphan, 'failed']],
  ])
  const inAMinute = it.clock.now() + 60_000
  const all = { eventsBefore: inAMinute, eventsBeforeAll: inAMinute }
  await it.core.store.prune({ ...all, auditBefore: 0, runsBefore: 0, messagesBefore: 0 }, 99)
  await new DurableSubscriber(parentsSubscription(it.desk), it.core).start()
  expect([await it.unbound(parent), await it.unbound(alone)]).toEqual([[], []])
  expect(await it.unbound(grandparent)).toEqual([
    [child, 'failed'],
    [parent, 'cancelled'],
  ])
  expect(await it.escalations()).toMatchObject([
    { taskId: alone, data: { reason: 'it ended before it was told of 1 event of its children' } },
  ])
})

test.each([
  ['headless', 1],
  ['interactive', 0],
] as const)(
  'a %s parent that is completed and was not told all: people are told %i times',
  async (mode, times) => {
    const it = await family('parent', 'child')
    const [parent, child] = it.ids as [TaskId, TaskId]
    await it.move(child, 'failed')
    await it.core.commit({ task: aMove(parent, 'pending', 'launched', { set: { mode } }) })
    await it.core.commit({ task: aMove(parent, 'running', 'completed') })
    await it.handled()
    expect(await it.unbound(parent)).toEqual([])
    expect(await it.escalations()).toHaveLength(times)
  },
)
