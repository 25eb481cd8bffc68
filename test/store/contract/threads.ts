import { expect, test } from 'vitest'
import type { Store } from '../../../src/ports/store/store.ts'
import type { MessageDraft } from '../../../src/ports/store/threads.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import {
  ADA,
  aMessageDraft,
  aThreadDraft,
  REVIEWER,
  THREAD_ID,
  threadId,
  WRITER,
} from '../../builders/thread.ts'
import type { Open } from '../../contract/store-contract.ts'
import { rejectsWith } from '../expectations.ts'

const post = async (store: Store, changes: Partial<MessageDraft> = {}) =>
  (await store.commit({ post: aMessageDraft(changes) })).message!
const all = (store: Store) => store.messages(THREAD_ID, { after: 0, most: 1000 })

export function threads(open: Open) {
  const withThread = async () => {
    const store = await open()
    await store.commit({ createThread: aThreadDraft() })
    return store
  }

  test('a thread is opened once for each key of its creator, and told', async () => {
    const store = await open()
    const draft = aThreadDraft({ key: 'k', members: [REVIEWER, ADA] })
    const { events } = await store.commit({ createThread: draft })
    const data = { thread: THREAD_ID, title: 'the login page', by: ADA }
    expect(events).toMatchObject([{ kind: 'thread_created', taskId: null, data }])
    const again = aThreadDraft({ id: threadId('B'), key: 'k' })
    await rejectsWith(store.commit({ createThread: again }), 'TRANSITION_CONFLICT')
    await store.commit({ createThread: { ...again, createdBy: WRITER } })
    const { members: _, ...stored } = draft
    expect(await store.thread(THREAD_ID)).toEqual({
      ...stored,
      blocked: null,
      lastNumber: 0,
      lastAt: null,
      turnsWithoutProgress: 0,
      guardedAfter: 0,
    })
    expect(await store.threadMembers(THREAD_ID)).toEqual([ADA, REVIEWER])
    expect(await store.thread(threadId('Z'))).toBeUndefined()
  })

  test('threads are listed newest first, in pages, by member and by being blocked', async () => {
    const store = await open()
    for (const letter of ['A', 'B', 'C', 'D'])
      await store.commit({
        createThread: aThreadDraft({ id: threadId(letter), members: letter < 'C' ? [WRITER] : [] }),
      })
    await store.commit({ blockThread: { id: threadId('B'), why: 'enough', at: NOON } })
    const ids = async (...ask: Parameters<Store['threads']>) =>
      (await store.threads(...ask)).map(({ id }) => id)
    expect(await ids({}, { after: null, most: 2 })).toEqual([threadId('D'), threadId('C')])
    expect(await ids({}, { after: threadId('C'), most: 9 })).toEqual([threadId('B'), threadId('A')])
    expect(await ids({ member: WRITER }, { after: null, most: 9 })).toEqual([threadId('B'), threadId('A')])
    expect(await ids({ blocked: true }, { after: null, most: 9 })).toEqual([threadId('B')])
    expect(await ids({ blocked: false, member: WRITER }, { after: null, most: 9 })).toEqual([threadId('A')])
  })

  test('messages are kept as they were posted, numbered from 1; who posts becomes a member', async () => {
    const store = await withThread()
    const refs = ['src/login.ts:3', 'a "quoted" one']
    const text = 'first\n\t😀 \u202eright to left\u202c [/BRIDGE_TRIGGER]'
    const first = await post(store, { kind: 'finding', refs, text, at: NOON + 1 })
    const { events } = await store.commit({ post: aMessageDraft({ author: WRITER, at: NOON + 2 }) })
    const { limits: _, ...draft } = aMessageDraft({ kind: 'finding', refs, text, at: NOON + 1 })
    expect(first).toEqual({ ...draft, number: 1, fingerprint: expect.any(String) })
    expect(await all(store)).toMatchObject([first, { number: 2, author: WRITER, fingerprint: null }])
    expect(await store.messages(THREAD_ID, { after: 0, most: 9, exceptOf: REVIEWER })).toMatchObject([
      { number: 2 },
    ])
    expect(await store.messages(THREAD_ID, { after: 1, most: 9 })).toMatchObject([{ number: 2 }])
    const data = { thread: THREAD_ID, number: 2, author: WRITER, kind: 'message' }
    expect(events).toMatchObject([{ kind: 'message_posted', data }])
    expect(await store.thread(THREAD_ID)).toMatchObject({ lastNumber: 2, lastAt: NOON + 2 })
    expect(await store.threadMembers(THREAD_ID)).toEqual([ADA, REVIEWER, WRITER])
    await rejectsWith(post(store, { threadId: threadId('Z') }), 'THREAD_NOT_FOUND')
  })

  test('many who post at once get numbers without gaps, and nothing is lost', async () => {
    const store = await withThread()
    const texts = Array.from({ length: 40 }, (_, at) => `message ${at}`)
    const limits = { maxTurns: 1000, maxIdenticalFindings: 3 }
    await Promise.all(texts.map((text, at) => post(store, { text, limits, author: `agent-${at % 2}@shop` })))
    const stored = await all(store)
    expect(stored.map(({ number }) => number)).toEqual(texts.map((_, at) => at + 1))
    expect(stored.map(({ text }) => text).sort()).toEqual([...texts].sort())
    expect(await store.thread(THREAD_ID)).toMatchObject({ lastNumber: 40, turnsWithoutProgress: 40 })
  })

  test('a message that comes again with its key is the same message, also when both come at once', async () => {
    const store = await withThread()
    const twice = await Promise.all([post(store, { key: 'k' }), post(store, { key: 'k', at: NOON + 5 })])
    expect(twice.map(({ number }) => number)).toEqual([1, 1])
    expect(await store.commit({ post: aMessageDraft({ key: 'k' }) })).toMatchObject({ events: [] })
    for (const other of [{ text: 'other' }, { kind: 'result' as const }, { refs: ['x'] }])
      await rejectsWith(post(store, { key: 'k', ...other }), 'KEY_REUSED')
    expect(await post(store, { key: 'k', author: WRITER })).toMatchObject({ number: 2 })
    expect(await all(store)).toHaveLength(2)
  })

  test('the message that is one too many is kept, blocks the thread for agents, and is told with it', async () => {
    const store = await withThread()
    const limits = { maxTurns: 2, maxIdenticalFindings: 3 }
    await post(store, { limits })
    const { events } = await store.commit({ post: aMessageDraft({ limits, author: WRITER, key: 'last' }) })
    const why = '2 messages of agents without progress'
    expect(events).toMatchObject([
      { kind: 'message_posted' },
      { kind: 'thread_blocked', data: { thread: THREAD_ID, code: 'THREAD_AUTO_BLOCKED', why } },
    ])
    const blocked = { code: 'THREAD_AUTO_BLOCKED', why, at: NOON }
    expect(await store.thread(THREAD_ID)).toMatchObject({ blocked, lastNumber: 2 })
    await rejectsWith(post(store, { limits }), 'THREAD_AUTO_BLOCKED')
    expect(await post(store, { limits, author: WRITER, key: 'last' })).toMatchObject({ number: 2 })
    expect(await post(store, { limits, author: ADA })).toMatchObject({ number: 3 })
    expect(await store.thread(THREAD_ID)).toMatchObject({ blocked })
    expect(await store.audits({ kind: 'thread_blocked' })).toMatchObject([{ actor: 'holdfast' }])
  })

  test('a continued thread takes messages of agents again, and counts anew', async () => {
    const store = await withThread()
    const finding = { kind: 'finding', text: 'the same' } as const
    for (let times = 0; times < 3; times++) await post(store, finding)
    await rejectsWith(post(store, finding), 'THREAD_AUTO_BLOCKED')
    const go = { continueThread: { id: THREAD_ID, by: ADA, why: 'look at the docs', at: NOON } }
    const { events } = await store.commit(go)
    expect(events).toMatchObject([
      { kind: 'thread_continued', data: { thread: THREAD_ID, by: ADA, why: 'look at the docs' } },
    ])
    await rejectsWith(store.commit(go), 'TRANSITION_CONFLICT')
    await post(store, finding)
    await post(store, finding)
    expect(await store.thread(THREAD_ID)).toMatchObject({ blocked: null })
    await post(store, finding)
    expect((await store.thread(THREAD_ID))?.blocked?.why).toBe('the same finding was posted 3 times')
  })

  test('a block keeps its first reason', async () => {
    const store = await withThread()
    await store.commit({ blockThread: { id: THREAD_ID, why: 'first', at: NOON } })
    const { events } = await store.commit({ blockThread: { id: THREAD_ID, why: 'second', at: NOON + 1 } })
    expect(events).toEqual([])
    expect((await store.thread(THREAD_ID))?.blocked).toMatchObject({ why: 'first', at: NOON })
  })

  test('a read cursor moves forwards only, as far as there are messages, and is told when it moved', async () => {
    const store = await withThread()
    for (let times = 0; times < 3; times++) await post(store)
    const move = (number: number, reader = WRITER) =>
      store.commit({ moveReadCursor: { threadId: THREAD_ID, reader, number, at: NOON } })
    expect(await store.readCursor(THREAD_ID, WRITER)).toBe(0)
    const data = { thread: THREAD_ID, reader: WRITER, number: 2 }
    expect((await move(2)).events).toMatchObject([{ kind: 'cursor_moved', data }])
    expect((await move(2)).events).toEqual([])
    expect((await move(1)).events).toEqual([])
    expect(await store.readCursor(THREAD_ID, WRITER)).toBe(2)
    await rejectsWith(move(4), 'INVALID_REQUEST')
    await move(3, ADA)
    expect(await store.readCursors(THREAD_ID)).toEqual([
      { reader: ADA, number: 3, at: NOON },
      { reader: WRITER, number: 2, at: NOON },
    ])
  })

  test('unread is what others posted to a member’s threads after its cursor', async () => {
    const store = await withThread()
    await store.commit({ createThread: aThreadDraft({ id: threadId('B'), members: [WRITER] }) })
    await post(store, { threadId: threadId('B') })
    await post(store, { author: WRITER })
    expect(await store.unreadThreads(WRITER)).toEqual([{ id: threadId('B'), unread: 1 }])
    await post(store)
    await post(store)
    expect(await store.unreadThreads(WRITER)).toEqual([
      { id: THREAD_ID, unread: 2 },
      { id: threadId('B'), unread: 1 },
    ])
    await store.commit({ moveReadCursor: { threadId: THREAD_ID, reader: WRITER, number: 3, at: NOON } })
    expect(await store.unreadThreads(WRITER)).toEqual([{ id: threadId('B'), unread: 1 }])
    expect(await store.unreadThreads('person:nobody')).toEqual([])
  })

  test('what a parent is to be told is stored once, and can be given to another', async () => {
    const store = await open()
    const row = (seq: number) => ({
      subscriber: 'parents',
      nodeId: store.nodeId,
      seq,
      parentId: taskId('parent'),
      childId: taskId('child'),
      what: 'completed' as const,
      at: NOON,
    })
    for (const seq of [8, 7, 8]) await store.commit({ outbox: row(seq) })
    const rows = [7, 8].map((seq) => ({ ...row(seq), boundTrigger: null }))
    expect(await store.unboundFor(taskId('parent'))).toEqual(rows)
    await store.commit({ readdress: { from: taskId('parent'), to: taskId('grandparent') } })
    expect(await store.unboundFor(taskId('parent'))).toEqual([])
    expect(await store.unboundFor(taskId('grandparent'))).toHaveLength(2)
    await store.commit({ readdress: { from: taskId('grandparent'), to: null } })
    expect(await store.unboundFor(taskId('grandparent'))).toEqual([])
  })
}
