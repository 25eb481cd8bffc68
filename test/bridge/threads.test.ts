import { expect, test } from 'vitest'
import { rejectsWith } from '../store/expectations.ts'
import { ada, bob, startBridge } from './bridge-world.ts'

type World = Awaited<ReturnType<typeof startBridge>>

/** One more agent, which posts the same until the thread is blocked. */
async function blockedBy(it: World, thread: string) {
  const agent = await it.agent('stubborn')
  for (let times = 0; times < 3; times++) await it.post(agent.caller, thread, 'no', { kind: 'finding' })
  return agent
}

test('agents that talk in circles block a thread; a person lets it go on, another agent does not', async () => {
  const it = await startBridge()
  const thread = await it.thread()
  const { caller } = await blockedBy(it, thread)
  await rejectsWith(it.post(caller, thread, 'but'), 'THREAD_AUTO_BLOCKED')
  expect((await it.post(ada, thread, 'what is it?')).thread.blocked).toMatchObject({
    why: 'the same finding was posted 3 times',
  })
  await rejectsWith(it.bridge.continueThread(caller, { id: thread, why: null }), 'NOT_ALLOWED_FOR_RUN')
  const { continued } = await it.bridge.continueThread(ada, { id: thread, why: 'seen' })
  expect(continued).toBe(true)
  expect(await it.bridge.continueThread(ada, { id: thread, why: null })).toMatchObject({ continued: false })
  await it.post(caller, thread, 'no', { kind: 'finding' })
  expect(await it.core.store.audits({ kind: 'thread_continued' })).toMatchObject([
    { actor: 'ada@pts/1', detail: `${thread}: seen` },
  ])
})

test('the limits of the safeguard are settings', async () => {
  const it = await startBridge({ 'thread.maxTurns': 2 })
  const thread = await it.thread()
  const { caller } = await it.agent('chatty')
  await it.post(caller, thread, 'one')
  expect((await it.post(caller, thread, 'two')).thread.blocked).toMatchObject({
    why: '2 messages of agents without progress',
  })
})

test('a thread opened again with its key is the same thread, unless it is about something else', async () => {
  const it = await startBridge()
  const thread = await it.thread(ada, 'k')
  expect(await it.thread(ada, 'k')).toBe(thread)
  expect(await it.thread(bob, 'k')).not.toBe(thread)
  const other = { title: 'something else', workspace: undefined, members: [], key: 'k' }
  await rejectsWith(it.bridge.createThread(ada, other), 'KEY_REUSED')
})

test('members may be sessions by any of their names; what names nobody is refused', async () => {
  const it = await startBridge()
  const { id, caller } = await it.agent('one')
  const open = (members: string[], workspace?: string) =>
    it.bridge.createThread(caller, { title: 'x', workspace, members, key: null })
  const { thread } = await open(['task:one', 'reviewer@shop'])
  expect((await it.bridge.showThread(ada, thread.id)).members.map(({ name }) => name)).toEqual([
    'reviewer@shop',
    `task:${id}`,
  ])
  expect(thread.workspaceId).toBe((await it.task(id)).workspaceId)
  await rejectsWith(open(['task:nobody']), 'TASK_NOT_FOUND')
  await rejectsWith(open(['ada']), 'INVALID_NAME')
  await rejectsWith(open([], 'nowhere'), 'WORKSPACE_NOT_FOUND')
})

test('a list shows what is unread to who asks, and can be of that alone, in pages', async () => {
  const it = await startBridge()
  const threads = [await it.thread(), await it.thread(bob), await it.thread()]
  await it.post(bob, threads[0]!, 'for ada')
  await it.post(ada, threads[1]!, 'for bob')
  const list = async (by: typeof ada, ask: { unread?: boolean; after?: string; most?: number } = {}) => {
    const all = { blocked: undefined, mine: false, unread: false, after: null, most: 9, ...ask }
    const { threads: found, next } = await it.bridge.listThreads(by, all)
    return { found: found.map(({ thread, unread }) => [thread.id, unread]), next }
  }
  expect((await list(ada)).found).toEqual([
    [threads[2], 0],
    [threads[1], 0],
    [threads[0], 1],
  ])
  expect((await list(ada, { unread: true })).found).toEqual([[threads[0], 1]])
  const page = await list(bob, { most: 2 })
  expect(page).toEqual({
    found: [
      [threads[2], 0],
      [threads[1], 1],
    ],
    next: threads[1],
  })
  expect(await list(bob, { most: 2, after: page.next! })).toEqual({ found: [[threads[0], 0]], next: null })
})
