// The journal as it is fed to many readers: read once from a real store, in time that the test makes pass.
import { join } from 'node:path'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import type { JournalPlace } from '../../../src/domain/journal/place.ts'
import { asNodeId, asRunId, type TaskId } from '../../../src/domain/names/ids.ts'
import type { JournalFilter } from '../../../src/ports/store/journal.ts'
import type { Store } from '../../../src/ports/store/store.ts'
import { journalRoutes } from '../../../src/server/routes/daemon/journal.ts'
import type { FeedReader } from '../../../src/server/streams/feed-reader.ts'
import { JournalFeed } from '../../../src/server/streams/journal-feed.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { journalDesk } from '../../../src/supervisor/desk/records/journal.ts'
import { waitingDesk } from '../../../src/supervisor/desk/wait/waiting.ts'
import { Journal } from '../../../src/supervisor/kernel/journal.ts'
import { Waiters } from '../../../src/supervisor/kernel/waiters.ts'
import { findTask } from '../../../src/supervisor/task/find-task.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { settled } from '../../helpers/settled.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { TestClock } from '../../helpers/test-clock.ts'
import { waitFor } from '../../helpers/wait-for.ts'

const ONE = taskId('one')
const OTHER = taskId('other')
/** Longer than events are gathered. */
const A_MOMENT = 20
/** Longer than the feed waits for news before it looks by itself. */
const A_WHILE = 1100

async function world() {
  const clock = new TestClock()
  const path = join(tempDir(), 'holdfast.db')
  const nodeStore = async (id: string): Promise<Store> => {
    const node = { id: asNodeId(id), host: 'test', pid: process.pid, version: '0' }
    const store = await openStore({ path, node, clock })
    onTestFinished(() => store.close())
    return store
  }
  const store = await nodeStore('node-a')
  const waiters = new Waiters()
  const journal = new Journal({ store, follow: async () => {}, onError: () => {} })
  journal.listen(waiters)
  const stopping = new AbortController()
  /** How often each question was asked of the store. */
  const asked = { end: 0, after: 0 }
  let trouble: Error | undefined
  const real = journalDesk({ store, clock })
  const desk = {
    journal: {
      ...real,
      end: () => {
        asked.end++
        return real.end()
      },
      after: async (...given: Parameters<typeof real.after>) => {
        asked.after++
        if (trouble !== undefined) throw trouble
        return await real.after(...given)
      },
    },
    wait: waitingDesk({ waiters, clock }),
    tasks: { find: (text: string) => findTask(store, text) },
  }
  const context = { desk, clock, stopping: stopping.signal } as never
  return {
    clock,
    stopping,
    asked,
    nodeStore,
    feed: new JournalFeed(context),
    routes: new Hono().route('/api', journalRoutes(context)),
    end: () => real.end(),
    breaks: (error: Error | undefined) => {
      trouble = error
    },
    /** Events numbered from `from` on, for these tasks in turn. */
    commits: (from: number, count: number, tasks: readonly TaskId[] = [ONE]) =>
      Promise.all(
        Array.from({ length: count }, (_, n) =>
          journal.commitSoon({ event: eventOf(from + n, tasks[n % tasks.length]!) }),
        ),
      ),
  }
}

const eventOf = (number: number, task: TaskId) => ({
  at: NOON,
  kind: 'input_heard' as const,
  taskId: task,
  data: { number, run_id: asRunId('00000000-0000-7000-8000-000000000000') },
})

const numbersIn = (text: string | undefined) =>
  [...(text ?? '').matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number))
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

async function joined(
  feed: JournalFeed,
  place: JournalPlace,
  filter: JournalFilter = {},
): Promise<FeedReader> {
  const reader = await feed.join(place, filter)
  if (reader === undefined) throw new Error('The feed says that this place is too far behind.')
  return reader
}

test('each reader gets what its filter selects, and the store is read once for all of them', async () => {
  const { feed, clock, end, commits, asked } = await world()
  const place = await end()
  const filters: JournalFilter[] = [{}, { taskId: ONE }, { taskId: OTHER }, { kinds: ['task_created'] }]
  const readers = await Promise.all(filters.map((filter) => joined(feed, place, filter)))
  expect(asked.end).toBe(1)
  await commits(1, 6, [ONE, OTHER])
  await clock.pass(A_MOMENT)
  expect(asked.after).toBeLessThan(readers.length)
  const got = await Promise.all(readers.slice(0, 3).map(async (reader) => numbersIn(await reader.next(0))))
  expect(got).toEqual([
    [1, 2, 3, 4, 5, 6],
    [1, 3, 5],
    [2, 4, 6],
  ])
  const silent = readers[3]!.next(15_000)
  await clock.pass(15_000)
  expect(await silent).toBe('')
})

test('a reader that was cut off goes on after its place, without a gap and without a second one of any', async () => {
  const { feed, clock, end, commits } = await world()
  const first = await joined(feed, await end())
  await commits(1, 5)
  await clock.pass(A_MOMENT)
  expect(numbersIn(await first.next(0))).toEqual(upTo(5))
  const { place } = first
  first.close()
  await commits(6, 5)
  const again = await joined(feed, place)
  await clock.pass(A_MOMENT)
  expect(numbersIn(await again.next(0))).toEqual([6, 7, 8, 9, 10])
})

test('a reader that does not read is sent to the store from its own place; the others go on', async () => {
  const { feed, clock, end, commits } = await world()
  const place = await end()
  const slow = await joined(feed, place)
  const quick = await joined(feed, place, { taskId: OTHER })
  await commits(1, 1001)
  await commits(1002, 1, [OTHER])
  await clock.pass(A_MOMENT)
  expect(await slow.next(0)).toBeUndefined()
  expect(slow.place).toEqual(place)
  expect(numbersIn(await quick.next(0))).toEqual([1002])
})

test('a place before the window of the feed is for the store, one inside it is not', async () => {
  const { feed, clock, end, commits } = await world()
  const before = await end()
  await joined(feed, before, { taskId: OTHER })
  await commits(1, 3000)
  const inside = await end()
  await commits(3001, 1000)
  await clock.pass(A_MOMENT)
  expect(await feed.join(before, {})).toBeUndefined()
  expect(numbersIn(await (await joined(feed, inside)).next(0))).toEqual(upTo(4000).slice(3000))
})

test('events of another node are found without news of them, and a place holds both nodes', async () => {
  const { feed, clock, end, commits, nodeStore } = await world()
  const other = await nodeStore('node-b')
  const reader = await joined(feed, await end())
  await other.commit({ event: eventOf(1, ONE) })
  await clock.pass(A_WHILE)
  expect(numbersIn(await reader.next(0))).toEqual([1])
  await commits(2, 1)
  await clock.pass(A_MOMENT)
  expect(numbersIn(await reader.next(0))).toEqual([2])
  expect(reader.place).toEqual(await end())
  expect(Object.keys(reader.place.at).sort()).toEqual(['node-a', 'node-b'])
})

test('a reader that is ahead at one node keeps its place there', async () => {
  const { feed, clock, end, commits, nodeStore } = await world()
  const other = await nodeStore('node-b')
  await joined(feed, await end())
  await other.commit({ event: eventOf(1, ONE) })
  // It has read the event of the other node in the store; the feed has not yet.
  const ahead = await joined(feed, await end())
  await commits(2, 1)
  await clock.pass(A_MOMENT)
  expect(numbersIn(await ahead.next(0))).toEqual([2])
  expect(ahead.place).toEqual(await end())
})

test('when the store cannot be read, the readers are told why; who comes afterwards is served', async () => {
  const { feed, clock, end, commits, breaks } = await world()
  const reader = await joined(feed, await end())
  const told = expect(reader.next(15_000)).rejects.toThrow('no store')
  breaks(new Error('no store'))
  await commits(1, 1)
  await clock.pass(A_MOMENT)
  await told
  reader.close()
  breaks(undefined)
  const later = await joined(feed, await end())
  await commits(2, 1)
  await clock.pass(A_MOMENT)
  expect(numbersIn(await later.next(0))).toEqual([2])
})

test('when nobody listens any more, the feed stops reading; the next reader starts it again', async () => {
  const { feed, clock, end, commits, asked } = await world()
  ;(await joined(feed, await end())).close()
  await clock.pass(5 * A_WHILE)
  const before = asked.after
  await clock.pass(10 * A_WHILE)
  expect(asked.after).toBe(before)
  const reader = await joined(feed, await end())
  await commits(1, 1)
  await clock.pass(A_MOMENT)
  expect(numbersIn(await reader.next(0))).toEqual([1])
})

test('when the daemon stops, a reader that waits is let go at once', async () => {
  const { feed, clock, end, stopping } = await world()
  const reader = await joined(feed, await end())
  const waiting = reader.next(15_000)
  const before = clock.monotonic()
  stopping.abort()
  expect(await waiting).toBe('')
  expect(await reader.next(15_000)).toBe('')
  expect(clock.monotonic()).toBe(before)
})

/** The body of the stream, as far as it came. */
function reading(response: Response) {
  let text = ''
  let isOver = false
  const read = async () => {
    for await (const bytes of response.body!) text += Buffer.from(bytes).toString('utf8')
    isOver = true
  }
  void read()
  return { numbers: () => numbersIn(text), text: () => text, isOver: () => isOver }
}

test('a stream begins at once, and ends when the daemon stops', async () => {
  const { routes, stopping } = await world()
  const stream = reading(await routes.request('/api/events'))
  await settled()
  expect(stream.text()).toBe(': here\n\n')
  stopping.abort()
  await waitFor('its end', () => stream.isOver())
})

test('a stream that is read only after thousands of events has each of them once, in order', async () => {
  const { routes, clock, commits } = await world()
  const response = await routes.request('/api/events')
  await settled()
  for (let from = 1; from < 5000; from += 1000) {
    await commits(from, 1000)
    await clock.pass(A_MOMENT)
  }
  const stream = reading(response)
  await waitFor('all of them', async () => {
    await clock.pass(A_MOMENT)
    return stream.numbers().length >= 5000
  })
  expect(stream.numbers()).toEqual(upTo(5000))
})
