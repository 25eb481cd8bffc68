import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { HoldfastError } from '../../../src/domain/errors.ts'
import { DEEPEST } from '../../../src/domain/journal/cause.ts'
import type { EventKind, JournalEvent } from '../../../src/domain/journal/events.ts'
import type { Change } from '../../../src/ports/store/commits.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { DurableSubscriber, type Handle } from '../../../src/supervisor/listening/durable-subscriber.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { anInputDraft } from '../../builders/input.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { create, nodeFacts, clock as wall } from '../../store/samples.ts'

async function world() {
  const store = await openStore({ path: join(tempDir(), 'holdfast.db'), node: nodeFacts(), clock: wall })
  onTestFinished(() => store.close())
  const timers: { at: number; call: () => void }[] = []
  const clock = {
    at: wall.now(),
    now: () => clock.at,
    sleep: async () => {},
    after(ms: number, call: () => void) {
      const timer = { at: clock.at + ms, call }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer), 1)
    },
    pass(ms: number) {
      clock.at += ms
      for (const { call } of timers.splice(0).filter(({ at }) => at <= clock.at)) call()
    },
  }
  const logged: string[] = []
  const note = (message: string) => void logged.push(message)
  const log = { error: note, warn: note }
  const started: DurableSubscriber[] = []
  /** As the core does: whoever follows hears of it. */
  const commit = async (change: Change) => {
    const committed = await store.commit(change)
    for (const one of started) one.hear(committed)
    return committed
  }
  const subscribe = async (handle: Handle, kinds?: readonly EventKind[]) => {
    const subscription = { name: 'reader', handle, ...(kinds && { kinds }) }
    const subscriber = new DurableSubscriber(subscription, { store, commit, clock, log })
    started.push(subscriber)
    await subscriber.start()
    await subscriber.whenIdle()
    return subscriber
  }
  onTestFinished(async () => {
    for (const one of started) await one.stop()
  })
  return { store, subscribe, logged, clock }
}

/** What the subscriber does for an event: a note that is in the audit exactly once per event. */
const noted = ({ seq, kind }: JournalEvent) => ({
  audit: {
    at: NOON,
    kind: 'workspace_added',
    taskId: null,
    actor: 'reader',
    detail: `${seq} ${kind}`,
  } as const,
})
type World = Awaited<ReturnType<typeof world>>
const told = async ({ store }: World, kind: EventKind) =>
  (await store.events(0, 99)).filter((event) => event.kind === kind)
const notes = async ({ store }: World) =>
  (await store.audits({ kind: 'workspace_added' })).map(({ detail }) => detail).reverse()

test('every event is handled once, in order, also by the next holder', async () => {
  const it = await world()
  const first = await it.subscribe(async (event) => noted(event))
  await create(it.store, 'one')
  first.hear()
  await first.whenIdle()
  await first.stop()
  await create(it.store, 'two')
  await create(it.store, 'three')
  await it.subscribe(async (event) => noted(event))
  expect(await notes(it)).toEqual(['1 task_created', '2 task_created', '3 task_created'])
})

test('what a killed one had handled and not committed is handled again, and committed once', async () => {
  const it = await world()
  await it.subscribe(async () => undefined)
  await create(it.store, 'one')
  let commits = 0
  const dying = new DurableSubscriber(
    { name: 'reader', handle: async (event) => noted(event) },
    {
      store: it.store,
      commit: () => {
        commits++
        return new Promise(() => {})
      },
      clock: { now: wall.now, sleep: async () => {}, after: () => () => {} },
      log: { error: () => {}, warn: () => {} },
    },
  )
  await dying.start()
  await waitFor('it to have handled the event', () => commits === 1)
  await it.subscribe(async (event) => noted(event))
  expect(await notes(it)).toEqual(['1 task_created'])
})

test('the holder before can do nothing more', async () => {
  const it = await world()
  const old = await it.subscribe(async (event) => noted(event))
  const young = await it.subscribe(async (event) => noted(event))
  await create(it.store, 'one')
  old.hear()
  await old.whenIdle()
  expect(await notes(it)).toEqual([])
  young.hear()
  await young.whenIdle()
  expect(await notes(it)).toEqual(['1 task_created'])
})

test('after a commit that was stored although it failed, it goes on behind it', async () => {
  const it = await world()
  let isLost = false
  const subscriber = await it.subscribe(async (event) => noted(event))
  const { commit } = it.store
  it.store.commit = async (change) => {
    const committed = await commit(change)
    if (!isLost && change.handled !== undefined) {
      isLost = true
      throw new HoldfastError('STORE_UNREACHABLE', 'the connection broke')
    }
    return committed
  }
  await create(it.store, 'one')
  await create(it.store, 'two')
  subscriber.hear()
  await subscriber.whenIdle()
  expect(isLost).toBe(true)
  expect(await notes(it)).toEqual(['1 task_created', '2 task_created'])
  expect(await it.store.setAsides('reader')).toEqual([])
})

test('an event that fails again and again is set aside: its task waits, others do not', async () => {
  const it = await world()
  let isBroken = true
  const handle: Handle = async (event) => {
    if (isBroken && event.taskId === taskId('bad') && event.kind === 'task_created') throw new Error('no')
    return noted(event)
  }
  const subscriber = await it.subscribe(handle)
  await create(it.store, 'bad')
  await create(it.store, 'good')
  await it.store.commit({ input: anInputDraft(taskId('bad')) })
  await it.store.commit({ input: anInputDraft(taskId('good')) })
  subscriber.hear()
  await subscriber.whenIdle()
  expect(await notes(it)).toEqual(['2 task_created', '4 input_queued', '5 event_set_aside'])
  expect(await it.store.setAsides('reader')).toMatchObject([
    { event: { seq: 1, taskId: taskId('bad') }, error: 'no' },
    { event: { seq: 3, taskId: taskId('bad') }, error: null },
  ])
  expect(it.logged).toEqual(['an event was set aside'])
  const about = { node: it.store.nodeId, seq: 1, kind: 'task_created', task: taskId('bad') }
  expect(await told(it, 'event_set_aside')).toMatchObject([
    {
      taskId: null,
      cause: { nodeId: it.store.nodeId, seq: 1 },
      depth: 1,
      data: { subscriber: 'reader', event: about, why: 'no' },
    },
  ])
  expect(await it.store.audits({ kind: 'event_set_aside' })).toMatchObject([
    { taskId: taskId('bad'), detail: expect.stringContaining('reader: event 1 (task_created)') },
  ])

  await subscriber.takeUpAll()
  expect(await it.store.setAsides('reader')).toHaveLength(2)
  isBroken = false
  await it.subscribe(handle)
  expect(await it.store.setAsides('reader')).toEqual([])
  expect((await notes(it)).slice(3)).toEqual(['1 task_created', '3 input_queued'])
})

test('a failure that passes is tried again, and nothing is set aside', async () => {
  const it = await world()
  let failures = 3
  const subscriber = await it.subscribe(async (event) => {
    if (failures-- > 0) throw new Error('not yet')
    return noted(event)
  })
  await create(it.store, 'one')
  subscriber.hear()
  await subscriber.whenIdle()
  expect(await notes(it)).toEqual(['1 task_created'])
  expect(await it.store.setAsides('reader')).toEqual([])
})

test('what does not concern it is passed by, and is not asked about again', async () => {
  const it = await world()
  const asked: number[] = []
  const handle: Handle = async ({ seq, kind }) => {
    asked.push(seq)
    return kind === 'input_queued' ? {} : undefined
  }
  const subscriber = await it.subscribe(handle)
  for (let n = 0; n < 150; n++) await create(it.store, `${n}`)
  subscriber.hear()
  await subscriber.whenIdle()
  expect((await it.store.subscribers())[0]!.place).toEqual(await it.store.journalEnd())
  await it.subscribe(handle)
  expect(asked).toEqual(Array.from({ length: 150 }, (_, n) => n + 1))
})

test('one that names its events is asked about no others, looks when there is one of them, and passes the others by after a while', async () => {
  const it = await world()
  const asked: string[] = []
  const handle: Handle = async (event) => {
    asked.push(event.kind)
    return noted(event)
  }
  const subscriber = await it.subscribe(handle, ['input_queued'])
  const place = async () => (await it.store.subscribers())[0]!.place
  const tell = async (committed: ReturnType<typeof it.store.commit>) => {
    subscriber.hear(await committed)
    await subscriber.whenIdle()
  }
  const before = await place()
  await create(it.store, 'one')
  await tell(it.store.commit({ event: { at: NOON, kind: 'server_started', taskId: null, data: {} } }))
  expect(await place()).toEqual(before)
  await tell(it.store.commit({ input: anInputDraft(taskId('one')) }))
  expect(asked).toEqual(['input_queued'])
  expect(await place()).toEqual(await it.store.journalEnd())
  await tell(it.store.commit({ event: { at: NOON, kind: 'server_started', taskId: null, data: {} } }))
  expect(await place()).not.toEqual(await it.store.journalEnd())
  it.clock.pass(10 * 60_000)
  await subscriber.whenIdle()
  expect(asked).toHaveLength(1)
  expect(await place()).toEqual(await it.store.journalEnd())
})

test('what it stores for an event follows from that event, and what others do follows from nothing', async () => {
  const it = await world()
  const subscriber = await it.subscribe(async ({ kind, taskId, at }) =>
    kind === 'task_created'
      ? { event: { at, kind: 'escalation', taskId, data: { reason: 'look' } } }
      : undefined,
  )
  await create(it.store, 'one')
  subscriber.hear()
  await subscriber.whenIdle()
  expect(await it.store.events(0, 9)).toMatchObject([
    { kind: 'task_created', cause: null, depth: 0 },
    { kind: 'escalation', cause: { nodeId: it.store.nodeId, seq: 1 }, depth: 1 },
  ])
})

test('events that lead to each other for ever end at the limit: the last is set aside, and people are told', async () => {
  const it = await world()
  const subscriber = await it.subscribe(async ({ kind, taskId, at }) =>
    kind === 'event_set_aside'
      ? undefined
      : { event: { at, kind: 'escalation', taskId, data: { reason: 'once more' } } },
  )
  await create(it.store, 'one')
  subscriber.hear()
  await subscriber.whenIdle()
  const events = await it.store.events(0, 99)
  expect(events.map(({ depth }) => depth)).toEqual([...Array(DEEPEST + 1).keys(), DEEPEST])
  expect(events.at(-1)).toMatchObject({ kind: 'event_set_aside', cause: { seq: DEEPEST + 1 } })
  expect(await it.store.setAsides()).toMatchObject([
    { event: { seq: DEEPEST + 1 }, error: expect.stringContaining('led to each other') },
  ])
})

test('one that fails on everything, also on the news of its own failures, tells of each event once', async () => {
  const it = await world()
  const subscriber = await it.subscribe(async () => {
    throw new Error('no')
  })
  await create(it.store, 'one')
  await create(it.store, 'two')
  subscriber.hear()
  await subscriber.whenIdle()
  expect((await it.store.events(0, 99)).map(({ kind }) => kind)).toEqual([
    'task_created',
    'task_created',
    'event_set_aside',
    'event_set_aside',
  ])
  expect(await it.store.setAsides('reader')).toHaveLength(4)
})

test('what was set aside is tried again when somebody asks for it, while it goes on reading', async () => {
  const it = await world()
  let isBroken = true
  const subscriber = await it.subscribe(
    async (event) => {
      if (isBroken && event.kind === 'task_created') throw new Error('no')
      return noted(event)
    },
    ['task_created'],
  )
  await create(it.store, 'one')
  subscriber.hear()
  await subscriber.whenIdle()
  isBroken = false
  await create(it.store, 'two')
  await subscriber.takeUpAll()
  expect(await it.store.setAsides()).toEqual([])
  expect(await notes(it)).toEqual(['1 task_created', '3 task_created'])
})
