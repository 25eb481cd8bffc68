import { expect, test } from 'vitest'
import { DEEPEST } from '../../../src/domain/journal/cause.ts'
import type { JournalPlace } from '../../../src/domain/journal/place.ts'
import { nameAtNode } from '../../../src/domain/journal/subscriber-name.ts'
import type { NodeId } from '../../../src/domain/names/ids.ts'
import type { Subscriber } from '../../../src/ports/store/journal.ts'
import type { Store } from '../../../src/ports/store/store.ts'
import { anAudit } from '../../builders/audit.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import type { NewPlace, Open } from '../../contract/store-contract.ts'
import { rejectsWith } from '../expectations.ts'
import { create } from '../samples.ts'
import { tell } from '../writes.ts'

const happened = (store: Store, at = NOON) =>
  tell(store, { at, kind: 'server_started', taskId: null, data: {} })
const started = { at: NOON, kind: 'server_started', taskId: null, data: {} } as const
const numbers = (events: readonly { nodeId: NodeId; seq: number }[]) =>
  events.map(({ nodeId, seq }) => `${nodeId} ${seq}`)

export function journal(newPlace: NewPlace) {
  const open: Open = async () => (await newPlace()).open()

  test('a commit tells which events it appended, and which tasks it changed', async () => {
    const store = await open()
    await create(store, 'one')
    const id = taskId('one')
    const committed = await store.commit({
      input: { taskId: id, kind: 'prompt', text: 'x', by: 'ada', at: NOON },
      event: { at: NOON, kind: 'escalation', taskId: id, data: { reason: 'why' } },
    })
    expect(committed.events).toEqual(await store.events(1, 9))
    expect(committed.events.map(({ kind }) => kind)).toEqual(['escalation', 'input_queued'])
    expect([...committed.tasks]).toEqual([id])
    expect(committed.input).toMatchObject({ number: 1, text: 'x' })
  })

  test('events carry the event that they follow from, and how deep they are', async () => {
    const store = await open()
    const [first] = (await happened(store)).events
    const { events } = await store.commit({ cause: first, event: started })
    expect(events).toMatchObject([{ seq: 2, cause: { nodeId: store.nodeId, seq: 1 }, depth: 1 }])
    expect(await store.events(0, 9)).toMatchObject([{ cause: null, depth: 0 }, events[0]!])
    expect((await store.journalAfter(await store.journalStart(), 9)).events).toEqual(await store.events(0, 9))
  })

  test('at the limit a change that would append more is refused, and nothing of it is written', async () => {
    const store = await open()
    const cause = { nodeId: store.nodeId, seq: 1, depth: DEEPEST }
    await rejectsWith(store.commit({ cause, event: started, audit: anAudit() }), 'EVENT_LOOP')
    expect([await store.lastSeq(), await store.audits({})]).toEqual([0, []])
    await store.commit({ cause, audit: anAudit() })
    expect(await store.audits({})).toHaveLength(1)
  })

  test('events that are set aside are counted for each subscriber', async () => {
    const store = await open()
    const [event] = (await happened(store)).events
    for (const subscriber of ['two', 'one'])
      await store.commit({ setAside: { subscriber, event: event!, at: NOON, error: 'no' } })
    expect(await store.setAsideCounts()).toEqual([
      { subscriber: 'one', count: 1 },
      { subscriber: 'two', count: 1 },
    ])
    expect(await store.setAsides()).toMatchObject([
      { subscriber: 'one', event: event! },
      { subscriber: 'two', event: event! },
    ])
  })

  test('nodes count their own events, and a reader of all misses none of them', async () => {
    const place = await newPlace()
    const [a, b] = [await place.open('node-a'), await place.open('node-b')]
    const start = await a.journalStart()
    for (let n = 0; n < 10; n++) for (const store of [a, b]) await happened(store)
    expect([await a.lastSeq(), await b.lastSeq()]).toEqual([10, 10])
    const seen: string[] = []
    for (let at = start; ; ) {
      const { events, place } = await b.journalAfter(at, 3)
      if (events.length === 0) break
      seen.push(...numbers(events))
      at = place
    }
    const all = ['node-a', 'node-b'].map((node) => Array.from({ length: 10 }, (_, n) => `${node} ${n + 1}`))
    expect(seen.filter((one) => one.startsWith('node-a'))).toEqual(all[0])
    expect(seen.filter((one) => one.startsWith('node-b'))).toEqual(all[1])
  })

  test('each node’s events keep their order, whatever its clock did', async () => {
    const store = await open()
    const start = await store.journalEnd()
    for (const at of [5, 3, 9, 1]) await happened(store, at)
    const { events } = await store.journalAfter(start, 99)
    expect(events.map(({ at }) => at)).toEqual([5, 3, 9, 1])
  })

  test('a filter passes by what it leaves out', async () => {
    const store = await open()
    const start = await store.journalEnd()
    await create(store, 'one')
    await create(store, 'two')
    await happened(store)
    const ofTwo = await store.journalAfter(start, 9, { taskId: taskId('two') })
    expect(ofTwo.events.map(({ kind, taskId }) => [kind, taskId])).toEqual([['task_created', taskId('two')]])
    expect(ofTwo.place).toEqual(await store.journalEnd())
    const created = await store.journalAfter(start, 9, { kinds: ['task_created'] })
    expect(created.events.map(({ taskId }) => taskId)).toEqual([taskId('one'), taskId('two')])
    expect((await store.journalAfter(start, 9, { kinds: [] })).events).toEqual([])
  })

  test('a place whose next events are forgotten, or of another journal, is refused', async () => {
    const store = await open()
    const start = await store.journalStart()
    for (const at of [1, 2, 3]) await happened(store, at)
    await store.prune(
      { eventsBefore: 3, eventsBeforeAll: 0, auditBefore: 0, runsBefore: 0, messagesBefore: 0 },
      99,
    )
    await rejectsWith(store.journalAfter(start, 9), 'JOURNAL_TRUNCATED')
    const kept = await store.journalStart()
    expect(numbers((await store.journalAfter(kept, 9)).events)).toEqual([`${store.nodeId} 3`])
    await rejectsWith(store.journalAfter({ ...kept, generation: 'other' }, 9), 'JOURNAL_TRUNCATED')
  })

  test('a place beyond the end, from before a backup was restored, is refused', async () => {
    const store = await open()
    await happened(store)
    const end = await store.journalEnd()
    const stranger = 'node-gone' as NodeId
    await rejectsWith(store.journalAfter(placeAt(end, store.nodeId, 2), 9), 'JOURNAL_TRUNCATED')
    await rejectsWith(store.journalAfter(placeAt(end, stranger, 1), 9), 'JOURNAL_TRUNCATED')
    expect((await store.journalAfter(placeAt(end, stranger, 0), 9)).events).toEqual([])
  })

  test('a journal of which all is forgotten is read from its end', async () => {
    const store = await open()
    const start = await store.journalStart()
    await happened(store, 1)
    await store.prune(
      { eventsBefore: 9, eventsBeforeAll: 0, auditBefore: 0, runsBefore: 0, messagesBefore: 0 },
      99,
    )
    await rejectsWith(store.journalAfter(start, 9), 'JOURNAL_TRUNCATED')
    expect(await store.journalStart()).toEqual(await store.journalEnd())
    expect((await store.journalAfter(await store.journalEnd(), 9)).events).toEqual([])
  })

  test('a subscriber begins at the end, and goes on where it was', async () => {
    const store = await open()
    await happened(store)
    const first = await store.takeSubscriber('outbox', NOON)
    expect(first).toEqual({ name: 'outbox', epoch: 1, place: await store.journalEnd() })
    await happened(store)
    const to = await store.journalEnd()
    await store.commit({ handled: moved(first, to) })
    expect(await store.takeSubscriber('outbox', NOON)).toEqual({ name: 'outbox', epoch: 2, place: to })
  })

  test('what a subscriber writes commits with its place, or not at all', async () => {
    const store = await open()
    const subscriber = await store.takeSubscriber('outbox', NOON)
    await happened(store)
    const to = await store.journalEnd()
    const write = { event: { at: NOON, kind: 'escalation', taskId: null, data: { reason: 'x' } } } as const
    const elsewhere = { ...subscriber.place, at: { ...subscriber.place.at, [store.nodeId]: 99 } }
    const before = await store.lastSeq()
    await rejectsWith(
      store.commit({ ...write, handled: { ...moved(subscriber, to), from: elsewhere } }),
      'SUBSCRIBER_TAKEN',
    )
    expect(await store.lastSeq()).toBe(before)
    await store.commit({ ...write, handled: moved(subscriber, to) })
    expect(await store.lastSeq()).toBe(before + 1)
    expect((await store.subscribers())[0]!.place).toEqual(to)
  })

  test('whoever takes a subscriber over is its only holder', async () => {
    const store = await open()
    const old = await store.takeSubscriber('outbox', NOON)
    const young = await store.takeSubscriber('outbox', NOON)
    await happened(store)
    const to = await store.journalEnd()
    await rejectsWith(store.commit({ handled: moved(old, to) }), 'SUBSCRIBER_TAKEN')
    await store.commit({ handled: moved(young, to) })
    await rejectsWith(store.commit({ handled: moved(young, to) }), 'SUBSCRIBER_TAKEN')
  })

  test('events that a subscriber has not handled stay, but not for ever; cursors hold nothing back', async () => {
    const store = await open()
    const subscriber = await store.takeSubscriber('outbox', NOON)
    for (const at of [1, 2, 3, 4]) await happened(store, at)
    await store.moveCursor('monitor/x', 1, NOON)
    const prune = (eventsBefore: number, eventsBeforeAll: number) =>
      store.prune({ eventsBefore, eventsBeforeAll, auditBefore: 0, runsBefore: 0, messagesBefore: 0 }, 99)
    expect(await prune(9, 0)).toMatchObject({ events: 0, heldBy: ['outbox'] })
    await store.commit({ handled: moved(subscriber, placeAt(subscriber.place, store.nodeId, 1)) })
    expect(await prune(9, 0)).toMatchObject({ events: 1, heldBy: ['outbox'] })
    expect(await prune(9, 3)).toMatchObject({ events: 1, heldBy: ['outbox'] })
    expect(await prune(3, 0)).toMatchObject({ events: 0, heldBy: [] })
    expect(await store.dropSubscriber('outbox')).toBe(true)
    expect(await store.dropSubscriber('outbox')).toBe(false)
    expect(await prune(9, 0)).toMatchObject({ events: 2, heldBy: [] })
  })

  test('a subscriber that is given up keeps no events, unless somebody took it meanwhile', async () => {
    const place = await newPlace()
    const [a, b] = [await place.open('node-a'), await place.open('node-b')]
    const name = nameAtNode('outbox', a.nodeId)
    const { epoch } = await a.takeSubscriber(name, NOON)
    await happened(a, 1)
    const [event] = await a.events(0, 1)
    await a.commit({ setAside: { subscriber: name, event: event!, at: NOON, error: 'locked' } })
    const limits = { eventsBefore: 9, eventsBeforeAll: 0, auditBefore: 0, runsBefore: 0, messagesBefore: 0 }
    expect(await b.prune(limits, 99)).toMatchObject({ events: 0, heldBy: [name] })
    const audit = anAudit({ kind: 'reader_dropped' })
    const stale = b.commit({ forgetSubscriber: { name, epoch: epoch - 1 }, audit })
    await rejectsWith(stale, 'TRANSITION_CONFLICT')
    expect(await b.audits({ kind: 'reader_dropped' })).toEqual([])
    await b.commit({ forgetSubscriber: { name, epoch }, audit })
    expect([await b.subscribers(), await b.setAsides()]).toEqual([[], []])
    expect(await b.prune(limits, 99)).toMatchObject({ events: 1, heldBy: [] })
  })

  test('a subscriber of one node reads and holds the events of that node alone', async () => {
    const place = await newPlace()
    const [a, b] = [await place.open('node-a'), await place.open('node-b')]
    const { place: start } = await a.takeSubscriber(nameAtNode('outbox', a.nodeId), NOON)
    for (const store of [a, b]) await happened(store, 1)
    const { events, place: after } = await a.journalAfter(start, 9, { nodeId: a.nodeId })
    expect([numbers(events), after]).toEqual([['node-a 1'], placeAt(start, a.nodeId, 1)])
    const limits = { eventsBefore: 9, eventsBeforeAll: 0, auditBefore: 0, runsBefore: 0, messagesBefore: 0 }
    expect(await a.prune(limits, 99)).toMatchObject({ events: 1, heldBy: ['outbox@node-a'] })
  })

  test('what was set aside is kept, once, until it is taken up or the subscriber is dropped', async () => {
    const store = await open()
    await store.takeSubscriber('outbox', NOON)
    const { events } = await happened(store)
    const row = { subscriber: 'outbox', event: events[0]!, at: NOON, error: null }
    await store.commit({ setAside: row })
    await store.commit({ setAside: { ...row, error: 'it cannot be' } })
    expect(await store.setAsides('outbox')).toEqual([{ ...row, error: 'it cannot be' }])
    expect(await store.setAsides('other')).toEqual([])
    const { nodeId, seq } = row.event
    await store.commit({ takeUp: { subscriber: 'outbox', nodeId, seq } })
    expect(await store.setAsides('outbox')).toEqual([])
    const again = store.commit({ takeUp: { subscriber: 'outbox', nodeId, seq } })
    await rejectsWith(again, 'TRANSITION_CONFLICT')
    await store.commit({ setAside: row })
    await store.dropSubscriber('outbox')
    expect(await store.setAsides('outbox')).toEqual([])
  })
}

const moved = ({ name, epoch, place }: Subscriber, to: JournalPlace) => ({
  subscriber: name,
  epoch,
  from: place,
  to,
})
const placeAt = (place: JournalPlace, node: NodeId, seq: number): JournalPlace => ({
  ...place,
  at: { ...place.at, [node]: seq },
})
