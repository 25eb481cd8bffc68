// What is stored when agents are woken: of their children, and because of messages.
import { expect, test } from 'vitest'
import type { TaskId } from '../../../src/domain/names/ids.ts'
import type { InputDraft } from '../../../src/ports/store/conversation.ts'
import type { Store } from '../../../src/ports/store/store.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { anInputDraft } from '../../builders/input.ts'
import { aMove } from '../../builders/move.ts'
import { ADA, aMessageDraft, aThreadDraft, THREAD_ID, threadId, WRITER } from '../../builders/thread.ts'
import type { Open } from '../../contract/store-contract.ts'
import { rejectsWith } from '../expectations.ts'
import { create } from '../samples.ts'

const plain = {
  thread: null,
  reason: 'children',
  key: null,
  framed: 0,
  forcedBy: null,
  forcedWhy: null,
} as const
const trigger = (changes: Partial<NonNullable<InputDraft['trigger']>> = {}) => ({ ...plain, ...changes })

const rowOf = (store: Store, seq: number) => ({
  subscriber: 'parents',
  nodeId: store.nodeId,
  seq,
  parentId: taskId('parent'),
  childId: taskId('child'),
  what: 'completed' as const,
  at: NOON,
})

export function wakes(open: Open) {
  const withRows = async () => {
    const store = await open()
    await create(store, 'parent')
    for (const seq of [7, 8]) await store.commit({ outbox: rowOf(store, seq) })
    return store
  }
  const unbound = async (store: Store) => (await store.unboundFor(taskId('parent'))).map(({ seq }) => seq)

  test('news of a child is told in the journal once, and its parent is among those to be told', async () => {
    const store = await open()
    await create(store, 'parent')
    expect(await store.parentsToTell()).toEqual([])
    const data = { child: taskId('child'), what: 'completed' }
    const first = await store.commit({ outbox: rowOf(store, 7) })
    expect(first.events).toMatchObject([{ kind: 'child_news', taskId: taskId('parent'), data }])
    expect((await store.commit({ outbox: rowOf(store, 7) })).events).toEqual([])
    expect((await store.commit({ outbox: { ...rowOf(store, 8), parentId: null } })).events).toEqual([])
    expect(await store.parentsToTell()).toEqual([taskId('parent')])
  })

  test('a move that its parent is told of commits with the row about it, under the number of its event', async () => {
    const store = await open()
    const parentId = (await create(store, 'parent')).id
    const { id: childId } = await create(store, 'child', { parentId })
    const { events } = await store.commit({ task: aMove(childId, 'pending', 'failed') })
    const data = { child: childId, what: 'failed' }
    expect(events).toMatchObject([
      { kind: 'task_failed', taskId: childId },
      { kind: 'child_news', taskId: parentId, data },
    ])
    const [{ seq, at, nodeId }] = events as [(typeof events)[0]]
    const key = { subscriber: 'parents', nodeId, seq }
    const row = { ...key, parentId, childId, what: 'failed' as const, at, boundTrigger: null }
    expect(await store.unboundFor(parentId)).toEqual([row])
    expect(await store.outboxRow(key)).toEqual(row)
    expect(await store.outboxRow({ ...key, seq: seq + 1 })).toBeUndefined()
    expect(await store.untoldChildren(parentId)).toEqual([childId])
    expect((await store.commit({ outbox: row })).events).toEqual([])
  })

  test('a move that is refused leaves no row', async () => {
    const store = await open()
    const parentId = (await create(store, 'parent')).id
    const { id } = await create(store, 'child', { parentId })
    await rejectsWith(store.commit({ task: aMove(id, 'running', 'failed') }), 'TRANSITION_CONFLICT')
    expect(await store.parentsToTell()).toEqual([])
  })

  test('news is for the nearest ancestor that lives, and for nobody where none does', async () => {
    const store = await open()
    const grandparent = (await create(store, 'grandparent')).id
    const parentId = (await create(store, 'parent', { parentId: grandparent })).id
    for (const name of ['one', 'two']) await create(store, name, { parentId })
    const end = (id: TaskId) => store.commit({ task: aMove(id, 'pending', 'cancelled') })
    await end(parentId)
    await end(taskId('one'))
    expect((await store.unboundFor(grandparent)).map(({ childId }) => childId)).toEqual([
      parentId,
      taskId('one'),
    ])
    await end(grandparent)
    const { events } = await end(taskId('two'))
    expect(events.map(({ kind }) => kind)).toEqual(['task_cancelled'])
    const { nodeId, seq } = events[0]!
    expect(await store.outboxRow({ subscriber: 'parents', nodeId, seq })).toMatchObject({ parentId: null })
  })

  test('news is for a runtime also when it is stopped', async () => {
    const store = await open()
    const parentId = (await create(store, 'lead', { runtime: 'lead@app' })).id
    const { id } = await create(store, 'child', { parentId })
    await store.commit({ task: aMove(parentId, 'pending', 'cancelled') })
    await store.commit({ task: aMove(id, 'pending', 'cancelled') })
    expect(await store.unboundFor(parentId)).toMatchObject([{ childId: id, what: 'cancelled' }])
  })

  test('old news for a parent that was removed is deleted; for one that can still be told it stays', async () => {
    const store = await withRows()
    await store.commit({ outbox: { ...rowOf(store, 9), parentId: taskId('removed') } })
    const never = { eventsBeforeAll: 0, auditBefore: 0, runsBefore: 0, messagesBefore: 0 }
    await store.prune({ ...never, eventsBefore: NOON + 1 }, 99)
    expect([await unbound(store), await store.unboundFor(taskId('removed'))]).toEqual([[7, 8], []])
  })

  test('a parent that ends in the same moment as its child is told of it before its own end, or not at all', async () => {
    const store = await open()
    for (let n = 0; n < 20; n++) {
      const parentId = (await create(store, `parent-${n}`)).id
      const { id } = await create(store, `child-${n}`, { parentId })
      const end = (task: TaskId) => store.commit({ task: aMove(task, 'pending', 'cancelled') })
      const [child, parent] = await Promise.all([end(id), end(parentId)])
      const { nodeId, seq } = child.events[0]!
      const row = await store.outboxRow({ subscriber: 'parents', nodeId, seq })
      expect(row?.parentId).toBe(seq < parent.events[0]!.seq ? parentId : null)
    }
  })

  test('rows are bound to the trigger that the same commit queues; bound ones are bound to no other', async () => {
    const store = await withRows()
    const parentId = taskId('parent')
    const input = anInputDraft(parentId, { trigger: trigger() })
    const told = await store.commit({ input, bindOutbox: { parentId, rows: [rowOf(store, 7)] } })
    expect(told.input?.triggerId).toMatch(/^trg_/)
    expect(await unbound(store)).toEqual([8])
    const both = { parentId, rows: [rowOf(store, 8), rowOf(store, 7)] }
    await rejectsWith(store.commit({ input, bindOutbox: both }), 'TRANSITION_CONFLICT')
    expect(await unbound(store)).toEqual([8])
    expect(await store.inputs(parentId)).toHaveLength(1)
    await store.commit({ bindOutbox: { parentId, rows: [rowOf(store, 8)] } })
    expect(await store.parentsToTell()).toEqual([])
  })

  test('rows that are for somebody else now are not bound', async () => {
    const store = await withRows()
    await store.commit({ readdress: { from: taskId('parent'), to: taskId('other') } })
    const bindOutbox = { parentId: taskId('parent'), rows: [rowOf(store, 7)] }
    await rejectsWith(store.commit({ bindOutbox }), 'TRANSITION_CONFLICT')
  })

  test('a parent does not know of children that live, or that are still to be told', async () => {
    const store = await withRows()
    await create(store, 'one', { parentId: taskId('parent') })
    const untold = async () => (await store.untoldChildren(taskId('parent'))).sort()
    expect(await untold()).toEqual([taskId('child'), taskId('one')].sort())
    const rows = [7, 8].map((seq) => rowOf(store, seq))
    await store.commit({ bindOutbox: { parentId: taskId('parent'), rows } })
    expect(await untold()).toEqual([taskId('one')])
  })

  test('living children are those that have not ended', async () => {
    const store = await open()
    const parentId = (await create(store, 'parent')).id
    for (const name of ['one', 'two', 'three']) await create(store, name, { parentId })
    await create(store, 'other')
    await store.commit({ task: aMove(taskId('two'), 'pending', 'cancelled') })
    expect((await store.livingChildren(parentId)).sort()).toEqual([taskId('one'), taskId('three')].sort())
  })

  test('a trigger that waits from its beginning is deferred, and counts as a wake-up once it is queued', async () => {
    const store = await open()
    const { id } = await create(store, 'one')
    const about = trigger({ thread: THREAD_ID, reason: 'new_unread_messages' })
    const deferred = { code: 'TRIGGER_RATE_LIMITED' as const, evidence: [] }
    const wake = (changes: Partial<InputDraft>) =>
      store.commit({ input: anInputDraft(id, { by: WRITER, at: NOON, trigger: about, ...changes }) })
    await wake({})
    const { input } = await wake({ deferred, at: NOON + 1 })
    expect(input).toMatchObject({ state: 'deferred', code: 'TRIGGER_RATE_LIMITED' })
    const first = { thread: THREAD_ID, by: WRITER, at: NOON }
    expect(await store.wakesSince(NOON)).toEqual([first])
    expect(await store.wakesSince(NOON + 1)).toEqual([])
    const of = async () => (await store.unsubmitted(id, 'new_unread_messages')).map(({ state }) => state)
    expect(await of()).toEqual(['queued', 'deferred'])
    expect(await store.unsubmitted(id, 'children')).toEqual([])
    const move = {
      id: input!.triggerId!,
      from: 'deferred',
      event: 'queued',
      at: NOON + 9,
      evidence: [],
    } as const
    await store.commit({ trigger: move })
    expect(await store.wakesSince(NOON + 1)).toEqual([{ ...first, at: NOON + 9 }])
  })

  test('prompts of runs count for the limits like wake-ups, and those of people only in their thread', async () => {
    const store = await open()
    const { id } = await create(store, 'one')
    const send = (by: string, thread: string | null) =>
      store.commit({ input: anInputDraft(id, { by, at: NOON, trigger: trigger({ thread, reason: null }) }) })
    await send('run r1', null)
    await send('run r1', THREAD_ID)
    await send('ada', null)
    await send('ada', THREAD_ID)
    const counted = (await store.wakesSince(NOON)).map(({ by, thread }) => `${by} ${thread}`)
    expect(counted.sort()).toEqual([`ada ${THREAD_ID}`, 'run r1 null', `run r1 ${THREAD_ID}`])
  })

  test('old messages are forgotten, with threads in which nothing is posted any more', async () => {
    const store = await open()
    const limits = { eventsBefore: 0, eventsBeforeAll: 0, auditBefore: 0, runsBefore: 0 }
    const prune = (messagesBefore: number) => store.prune({ ...limits, messagesBefore }, 99)
    await store.commit({ createThread: aThreadDraft() })
    await store.commit({ createThread: aThreadDraft({ id: threadId('B'), createdAt: NOON + 50 }) })
    for (const at of [NOON + 1, NOON + 2, NOON + 60]) await store.commit({ post: aMessageDraft({ at }) })
    expect(await prune(NOON + 2)).toMatchObject({ messages: 1, threads: 0 })
    expect((await store.messages(THREAD_ID, { after: 0, most: 9 })).map(({ number }) => number)).toEqual([
      2, 3,
    ])
    expect(await prune(NOON + 55)).toMatchObject({ messages: 1, threads: 1 })
    expect(await store.thread(threadId('B'))).toBeUndefined()
    expect(await store.threadMembers(threadId('B'))).toEqual([])
    expect(await prune(NOON + 99)).toMatchObject({ messages: 1, threads: 1 })
    expect(await store.threads({ member: ADA }, { after: null, most: 9 })).toEqual([])
  })

  test('what parents were told is forgotten like events; what they were not told stays', async () => {
    const store = await withRows()
    const parentId = taskId('parent')
    await store.commit({ bindOutbox: { parentId, rows: [rowOf(store, 7)] } })
    const limits = { eventsBeforeAll: 0, auditBefore: 0, runsBefore: 0, messagesBefore: 0 }
    await store.prune({ ...limits, eventsBefore: NOON + 1 }, 99)
    // A row that is gone can be put there again.
    await store.commit({ outbox: rowOf(store, 7) })
    expect(await unbound(store)).toEqual([7, 8])
    await store.commit({ outbox: rowOf(store, 8) })
    expect(await unbound(store)).toEqual([7, 8])
  })
}
