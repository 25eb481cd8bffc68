// A durable subscriber whose events were deleted before it had handled them, on both stores.
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JournalPlace } from '../../../src/domain/journal/place.ts'
import { type DatabasePlace, openDatabase } from '../../../src/store/database/backends.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { DurableSubscriber, type Subscription } from '../../../src/supervisor/listening/durable-subscriber.ts'
import { usePostgres } from '../../helpers/postgres.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { clock, create, nodeFacts } from '../../store/samples.ts'

const postgres = usePostgres()
const places: Record<string, () => Promise<DatabasePlace>> = {
  SQLite: async () => ({ path: join(tempDir(), 'holdfast.db') }),
  PostgreSQL: async () => ({ url: await postgres.freshUrl() }),
}
const both = Object.keys(places)

async function world(backend: string) {
  const place = await places[backend]!()
  const store = await openStore({ ...place, node: nodeFacts(), clock })
  onTestFinished(() => store.close())
  const handled: string[] = []
  const log = { error: () => {}, warn: () => {} }
  const starts = async (readAnew?: Subscription['readAnew']) => {
    const handle: Subscription['handle'] = async ({ taskId }) => {
      if (taskId === null) return undefined
      handled.push(taskId.replace(/^.*-/, ''))
      return {}
    }
    const subscriber = new DurableSubscriber(
      { name: 'reader', handle, ...(readAnew && { readAnew }) },
      {
        store,
        commit: store.commit,
        clock: { now: clock.now, sleep: async () => {}, after: () => () => {} },
        log,
      },
    )
    await subscriber.start()
    await subscriber.whenIdle()
    onTestFinished(() => subscriber.stop())
    return subscriber
  }
  const prune = (before: number) =>
    store.prune(
      { eventsBefore: before, eventsBeforeAll: before, auditBefore: 0, runsBefore: 0, messagesBefore: 0 },
      99,
    )
  const missed = async () =>
    (await store.events(0, 99)).flatMap((event) =>
      event.kind === 'subscriber_missed_events' ? [event.data] : [],
    )
  /** As if it had come so far when it was last there. */
  const comesFrom = async (change: (place: JournalPlace) => JournalPlace) => {
    const { db } = openDatabase(place)
    const [reader] = await store.subscribers()
    await db
      .updateTable('subscribers')
      .set({ place: JSON.stringify(change(reader!.place)) })
      .execute()
    await db.destroy()
  }
  return { store, handled, starts, prune, missed, comesFrom }
}

test.each(both)(
  '%s: it goes on with the oldest that is kept, and says how many it missed',
  async (backend) => {
    const it = await world(backend)
    await (await it.starts()).stop()
    for (const name of ['one', 'two', 'three'])
      await it.store.commit({
        event: {
          at: 1,
          kind: 'escalation',
          taskId: (await create(it.store, name)).id,
          data: { reason: 'x' },
        },
      })
    await it.prune(clock.now() + 1)
    await create(it.store, 'four')
    const subscriber = await it.starts()
    expect(it.handled).toEqual(['four'])
    expect(await it.missed()).toEqual([{ subscriber: 'reader', missed: 6 }])
    expect(await it.store.audits({ kind: 'subscriber_missed_events' })).toMatchObject([
      { detail: 'reader: 6 events', actor: 'holdfast' },
    ])
    await create(it.store, 'five')
    subscriber.hear()
    await subscriber.whenIdle()
    await it.starts()
    expect(it.handled).toEqual(['four', 'five'])
    expect(await it.missed()).toHaveLength(1)
  },
)

test.each(both)(
  '%s: a place of another journal, or beyond its end, is no reason to stop',
  async (backend) => {
    const it = await world(backend)
    await create(it.store, 'one')
    await (await it.starts()).stop()
    await it.comesFrom((place) => ({ ...place, generation: 'another' }))
    await (await it.starts()).stop()
    expect(it.handled).toEqual(['one'])
    expect(await it.missed()).toEqual([{ subscriber: 'reader', missed: null }])
    await it.comesFrom((place) => ({ ...place, at: { [it.store.nodeId]: 999 } }))
    const subscriber = await it.starts()
    await create(it.store, 'two')
    subscriber.hear()
    await subscriber.whenIdle()
    expect(it.handled.at(-1)).toBe('two')
    expect(await it.missed()).toHaveLength(2)
  },
)

test.each(both)('%s: it reads the state anew once, and goes on also when that fails', async (backend) => {
  const it = await world(backend)
  await (await it.starts()).stop()
  await create(it.store, 'one')
  await it.prune(clock.now() + 1)
  let asked = 0
  const subscriber = await it.starts(async () => {
    asked++
    throw new Error('no')
  })
  await create(it.store, 'two')
  subscriber.hear()
  await subscriber.whenIdle()
  expect(asked).toBe(1)
  expect(it.handled).toEqual(['two'])
})
