// What is stored of notices: each once, bound to one delivery before it is sent, settled once.
import { expect, test } from 'vitest'
import type { Store } from '../../../src/ports/store/store.ts'
import { NOON } from '../../builders/ids.ts'
import { aNoticeDraft } from '../../builders/notice.ts'
import type { NewPlace } from '../../contract/store-contract.ts'
import { rejectsWith } from '../expectations.ts'

const tried = (state: 'waiting' | 'sent' | 'set_aside', before = 0) => ({
  tried: { id: 'd1', channel: 'phone', before, state, nextAt: NOON + 9, error: null, at: NOON + 5 },
})
const bind = (...notices: string[]) => ({
  bindNotices: { id: 'd1', channel: 'phone', notices, at: NOON + 1 },
})
const unbound = async (store: Store) => (await store.unboundNotices('phone', 9)).map(({ id }) => id)

export function notices(newPlace: NewPlace) {
  const open = async () => {
    const store = await (await newPlace()).open()
    await store.commit({ notices: [aNoticeDraft('n2', { at: NOON + 2 }), aNoticeDraft('n1')] })
    return store
  }

  test('a notice is there once, and its commit names the channels that have something to tell', async () => {
    const store = await open()
    const again = await store.commit({
      notices: [aNoticeDraft('n1', { title: 'another' }), aNoticeDraft('n3', { channel: 'mail' })],
    })
    expect([...(again.toTell ?? [])].sort()).toEqual(['mail', 'phone'])
    expect(await store.notice('n1')).toEqual({
      ...aNoticeDraft('n1'),
      nodeId: store.nodeId,
      deliveryId: null,
      dropped: null,
    })
    expect(await unbound(store)).toEqual(['n1', 'n2'])
    expect(await store.channelsToTell()).toEqual(['mail', 'phone'])
    expect((await store.commit({})).toTell).toBeUndefined()
  })

  test('bound ones are bound to no other delivery, and nothing is half bound', async () => {
    const store = await open()
    await store.commit(bind('n1'))
    await rejectsWith(
      store.commit({ bindNotices: { id: 'd2', channel: 'phone', notices: ['n1', 'n2'], at: NOON } }),
      'TRANSITION_CONFLICT',
    )
    expect(await unbound(store)).toEqual(['n2'])
    expect(await store.nextDelivery('phone')).toMatchObject({ id: 'd1', tries: 0, notices: [{ id: 'n1' }] })
  })

  test('the most urgent are to be told first, then the oldest, also when there are more than are asked for', async () => {
    const store = await open()
    const kinds = ['progress', 'completion', 'limit', 'stuck', 'failure', 'escalation', 'question'] as const
    await store.commit({
      notices: kinds.map((kind, place) => aNoticeDraft(kind, { kind, at: NOON + 10 + place })),
    })
    const first = await store.unboundNotices('phone', 4)
    expect(first.map(({ id }) => id)).toEqual(['n1', 'n2', 'question', 'escalation'])
    const all = await store.unboundNotices('phone', 99)
    expect(all.slice(3).map(({ id }) => id)).toEqual([...kinds].slice(0, -1).reverse())
  })

  test('a delivery is divided once; its parts take its place, and who has it has them', async () => {
    const store = await open()
    await store.commit({ notices: [aNoticeDraft('n3', { at: NOON + 3 }), aNoticeDraft('n4')] })
    await store.commit(bind('n1', 'n2', 'n3'))
    await store.commit({
      bindNotices: { id: 'later', channel: 'phone', notices: ['n4'], at: NOON + 5 },
    })
    await store.commit({ taken: { id: 'd1', receiver: 'ada' } })
    await store.commit(tried('waiting'))
    const parts = [
      { id: 'p1', notices: ['n1', 'n3'], nextAt: NOON + 10 },
      { id: 'p2', notices: ['n2'], nextAt: NOON + 20 },
    ]
    await rejectsWith(store.commit({ splitDelivery: { id: 'd1', before: 0, parts } }), 'TRANSITION_CONFLICT')
    await store.commit({ splitDelivery: { id: 'd1', before: 1, parts } })
    expect(await store.nextRemainder('phone')).toMatchObject({
      id: 'p1',
      tries: 0,
      nextAt: NOON + 10,
      error: null,
      taken: ['ada'],
      notices: [{ id: 'n1' }, { id: 'n3' }],
    })
    const log = await store.noticeLog({ most: 9 })
    expect(Object.fromEntries(log.map(({ id, delivery }) => [id, delivery?.id]))).toEqual({
      n1: 'p1',
      n2: 'p2',
      n3: 'p1',
      n4: 'later',
    })
    await rejectsWith(store.commit({ splitDelivery: { id: 'd1', before: 1, parts } }), 'TRANSITION_CONFLICT')
  })

  test('only the node that bound a delivery makes it', async () => {
    const place = await newPlace()
    const [one, other] = [await place.open('node-a'), await place.open('node-b')]
    await one.commit({ notices: [aNoticeDraft('n1')] })
    await one.commit(bind('n1'))
    expect(await other.nextDelivery('phone')).toBeUndefined()
    expect(await other.channelsToTell()).toEqual([])
    expect(await one.channelsToTell()).toEqual(['phone'])
  })

  test('a node is told only of its own notices, and has only its own tried again', async () => {
    const place = await newPlace()
    const [one, other] = [await place.open('node-a'), await place.open('node-b')]
    await one.commit({ notices: [aNoticeDraft('n1'), aNoticeDraft('n2')] })
    await one.commit(bind('n1'))
    await one.commit(tried('set_aside'))
    expect(await unbound(other)).toEqual([])
    expect(await other.channelsToTell()).toEqual([])
    expect(await other.noticeCounts([])).toEqual([])
    await other.commit({ retryNotices: { channel: 'phone', at: NOON + 20 } })
    expect(await one.noticeCounts(['phone'])).toMatchObject([{ waiting: 1, setAside: 1 }])
    expect(await unbound(one)).toEqual(['n2'])
  })

  test('a try counts once; what was sent is over; what is set aside is told in the journal', async () => {
    const store = await open()
    await store.commit(bind('n1', 'n2'))
    await store.commit(tried('waiting'))
    await rejectsWith(store.commit(tried('sent')), 'TRANSITION_CONFLICT')
    expect(await store.nextDelivery('phone')).toMatchObject({ tries: 1, nextAt: NOON + 9, settledAt: null })
    const { events } = await store.commit(tried('set_aside', 1))
    expect(events).toMatchObject([{ kind: 'delivery_set_aside', data: { channel: 'phone', delivery: 'd1' } }])
    await rejectsWith(store.commit(tried('sent', 2)), 'TRANSITION_CONFLICT')
    expect(await store.noticeCounts([])).toMatchObject([{ channel: 'phone', waiting: 0, setAside: 2 }])
    await store.commit({ retryNotices: { channel: 'phone', at: NOON + 20 } })
    await store.commit(tried('sent'))
    expect(await store.noticeCounts(['mail', 'phone'])).toEqual([
      { channel: 'mail', waiting: 0, setAside: 0, lastSentAt: null, lastError: null },
      { channel: 'phone', waiting: 0, setAside: 0, lastSentAt: NOON + 5, lastError: null },
    ])
    expect(await store.noticeCounts([])).toEqual([])
    expect(await store.channelsToTell()).toEqual([])
  })

  test('who of several receivers has a delivery is kept, also when it is set aside and tried again', async () => {
    const store = await open()
    await store.commit(bind('n1'))
    expect(await store.nextDelivery('phone')).toMatchObject({ taken: [] })
    for (const receiver of ['ada', 'bob', 'ada']) await store.commit({ taken: { id: 'd1', receiver } })
    await store.commit(tried('set_aside'))
    await store.commit({ retryNotices: { channel: 'phone', at: NOON + 20 } })
    expect(await store.nextRemainder('phone')).toMatchObject({ tries: 0, taken: ['ada', 'bob'] })
    expect(await store.nextDelivery('phone')).toBeUndefined()
  })

  test('dropped ones are told by nobody, and bound ones are not dropped', async () => {
    const store = await open()
    await store.commit(bind('n1'))
    await store.commit({ dropNotices: { ids: ['n1', 'n2'], why: 'answered' } })
    expect(await unbound(store)).toEqual([])
    expect((await store.noticeLog({ most: 9 })).map(({ id, dropped }) => [id, dropped])).toEqual([
      ['n2', 'answered'],
      ['n1', null],
    ])
  })

  test('the log goes back in pages, newest first, of one channel or of all', async () => {
    const store = await open()
    await store.commit({ notices: [aNoticeDraft('n3', { channel: 'mail', at: NOON + 2 })] })
    const ids = async (ask: Parameters<Store['noticeLog']>[0]) =>
      (await store.noticeLog(ask)).map(({ id }) => id)
    expect(await ids({ most: 2 })).toEqual(['n3', 'n2'])
    expect(await ids({ most: 2, before: { at: NOON + 2, id: 'n2' } })).toEqual(['n1'])
    expect(await ids({ most: 9, channel: 'mail' })).toEqual(['n3'])
  })

  test('old ones that were told or dropped are deleted, those that wait are kept', async () => {
    const store = await open()
    await store.commit(bind('n1'))
    await store.commit(tried('sent'))
    const before = NOON + 1000
    const ask = { eventsBefore: before, eventsBeforeAll: 0, auditBefore: 0, runsBefore: 0, messagesBefore: 0 }
    await store.prune(ask, 100)
    expect((await store.noticeLog({ most: 9 })).map(({ id }) => id)).toEqual(['n2'])
  })

  test('at most so many old ones are deleted at once, the oldest first', async () => {
    const store = await open()
    await store.commit({ dropNotices: { ids: ['n1', 'n2'], why: 'answered' } })
    const ask = {
      eventsBefore: NOON + 9,
      eventsBeforeAll: 0,
      auditBefore: 0,
      runsBefore: 0,
      messagesBefore: 0,
    }
    await store.prune(ask, 1)
    expect((await store.noticeLog({ most: 9 })).map(({ id }) => id)).toEqual(['n2'])
    await store.prune(ask, 1)
    expect(await store.noticeLog({ most: 9 })).toEqual([])
  })
}
