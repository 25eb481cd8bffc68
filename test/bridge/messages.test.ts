import { expect, test } from 'vitest'
import { settled } from '../helpers/settled.ts'
import { rejectsWith } from '../store/expectations.ts'
import { ada, bob, startBridge } from './bridge-world.ts'

const texts = (unread: { messages: readonly { text: string }[] }) => unread.messages.map(({ text }) => text)

test('a person and two agents talk, each as who it is', async () => {
  const it = await startBridge()
  const [one, two] = [await it.agent('one'), await it.agent('two')]
  const thread = await it.thread()
  await it.post(one.caller, thread, 'I begin')
  await it.post(two.caller, thread, 'and I follow')
  await it.post(ada, thread, 'good')
  const messages = await it.bridge.listMessages({ thread, after: 0, most: 9 })
  expect(messages.map(({ author }) => author)).toEqual([`task:${one.id}`, `task:${two.id}`, 'person:ada'])
  expect(texts(await it.read(one.caller, thread))).toEqual(['and I follow', 'good'])
  const { members, unread } = await it.bridge.showThread(two.caller, thread)
  expect(members.map(({ name }) => name)).toEqual(['person:ada', `task:${one.id}`, `task:${two.id}`].sort())
  expect(unread).toBe(2)
})

test('messages are told again until the reader says that it is done with them', async () => {
  const it = await startBridge()
  const thread = await it.thread()
  for (const text of ['one', 'two', 'three']) await it.post(bob, thread, text)
  const first = await it.read(ada, thread, { most: 2 })
  expect(first).toMatchObject({ reader: 'person:ada', cursor: 0, upTo: 2, more: true })
  expect(texts(await it.read(ada, thread, { most: 2 }))).toEqual(['one', 'two'])
  const rest = await it.read(ada, thread, { upTo: first.upTo })
  expect(rest).toMatchObject({ cursor: 2, upTo: 3, more: false })
  expect(texts(rest)).toEqual(['three'])
  expect(await it.read(ada, thread, { upTo: 3 })).toMatchObject({ messages: [], cursor: 3, upTo: 3 })
  expect(texts(await it.read(ada, thread, { upTo: 1 }))).toEqual([])
  await rejectsWith(it.read(ada, thread, { upTo: 4 }), 'INVALID_REQUEST')
})

test('what a reader posted itself is not unread to it, and is passed by with the rest', async () => {
  const it = await startBridge()
  const thread = await it.thread()
  await it.post(bob, thread, 'question')
  await it.post(ada, thread, 'answer')
  expect(await it.read(ada, thread)).toMatchObject({ messages: [{ text: 'question' }], upTo: 2 })
  expect(await it.read(bob, thread)).toMatchObject({ messages: [{ text: 'answer' }], upTo: 2 })
})

test('who waits is answered by the next message of another, and not by one of its own', async () => {
  const it = await startBridge()
  const thread = await it.thread()
  let answered = false
  const waiting = it.read(ada, thread, { waitMs: 60_000 }).finally(() => {
    answered = true
  })
  await settled()
  await it.post(ada, thread, 'mine')
  await settled()
  expect(answered).toBe(false)
  await it.post(bob, thread, 'yours')
  expect(texts(await waiting)).toEqual(['yours'])
})

test('waiting ends without messages when the time is up, and when the daemon stops', async () => {
  const it = await startBridge()
  const thread = await it.thread()
  let isOver = false
  const patient = it.read(ada, thread, { waitMs: 20_000 }).finally(() => {
    isOver = true
  })
  const began = it.clock.monotonic()
  await it.clock.passUntil('the time to be up', () => isOver)
  expect(it.clock.monotonic() - began).toBeGreaterThanOrEqual(20_000)
  expect(texts(await patient)).toEqual([])
  const cut = it.read(ada, thread, { waitMs: 60_000 })
  await settled()
  it.stopping.abort()
  expect(texts(await cut)).toEqual([])
})

test('a run that is over, or of another home, has no voice', async () => {
  const it = await startBridge()
  const thread = await it.thread()
  const { id, caller } = await it.agent('one')
  await it.agentExits(id, { code: 0 })
  await it.clock.passUntil('its end', async () => (await it.task(id)).status !== 'running')
  await rejectsWith(it.post(caller, thread, 'late'), 'NOT_ALLOWED_FOR_RUN')
  await rejectsWith(it.read(caller, thread), 'NOT_ALLOWED_FOR_RUN')
})

test('bad input is refused before anything is stored', async () => {
  const it = await startBridge()
  const thread = await it.thread()
  await rejectsWith(it.post(ada, thread, ' '), 'MESSAGE_EMPTY')
  await rejectsWith(it.post(ada, thread, 'x'.repeat(64 * 1024 + 1)), 'MESSAGE_TOO_LARGE')
  await rejectsWith(it.post(ada, thread, 'a\0b'), 'MESSAGE_NOT_TEXT')
  await rejectsWith(it.post(ada, 'th_nothing', 'hello'), 'THREAD_NOT_FOUND')
  await rejectsWith(it.post(ada, `th_${'0'.repeat(26)}`, 'hello'), 'THREAD_NOT_FOUND')
  await it.post(ada, thread, 'hello', { key: 'k' })
  await rejectsWith(it.post(ada, thread, 'other', { key: 'k' }), 'KEY_REUSED')
  expect(await it.bridge.listMessages({ thread, after: 0, most: 9 })).toHaveLength(1)
})
