import { expect, onTestFinished, test } from 'vitest'
import { HoldfastError } from '../../src/domain/errors.ts'
import type { Store } from '../../src/ports/store/store.ts'
import { openDatabase } from '../../src/store/database/backends.ts'
import { openStore } from '../../src/store/open-store.ts'
import { taskId } from '../builders/ids.ts'
import { aMove } from '../builders/move.ts'
import { aMessageDraft, aThreadDraft, THREAD_ID } from '../builders/thread.ts'
import { storeContract } from '../contract/store-contract.ts'
import { usePostgres } from '../helpers/postgres.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { expectConsistent, rejectsWith } from './expectations.ts'
import { clock, create, nodeFacts } from './samples.ts'

const postgres = usePostgres()

async function openAt(url: string, node?: string): Promise<Store> {
  const store = await openStore({ url, node: nodeFacts(node), clock })
  onTestFinished(() => store.close())
  return store
}

storeContract('PostgreSQL', async () => {
  const url = await postgres.freshUrl()
  return { open: (node) => openAt(url, node) }
})

test('nodes that open an empty database at the same moment all find its tables', async () => {
  const url = await postgres.freshUrl()
  const stores = await Promise.all(['a', 'b', 'c', 'd'].map((node) => openAt(url, node)))
  await Promise.all(stores.map((store, index) => create(store, `of-${index}`)))
  await expectConsistent(stores[0]!)
})

test('nodes that write at once each count without gaps, and never wait for each other in a ring', async () => {
  const url = await postgres.freshUrl()
  const stores = await Promise.all(['a', 'b', 'c'].map((node) => openAt(url, node)))
  await Promise.all(
    stores.flatMap((store, node) =>
      Array.from({ length: 10 }, async (_, index) => {
        const { id } = await create(store, `${node}-${index}`)
        await store.commit({ task: aMove(id, 'pending', index % 2 === 0 ? 'launched' : 'cancelled') })
        if (index % 2 === 0) await store.commit({ task: aMove(id, 'running', 'requeued') })
      }),
    ),
  )
  expect(await Promise.all(stores.map((store) => store.lastSeq()))).toEqual([25, 25, 25])
  await expectConsistent(stores[0]!)
})

test('nodes that post to one thread at once number the messages without gaps', async () => {
  const url = await postgres.freshUrl()
  const stores = await Promise.all(['a', 'b', 'c'].map((node) => openAt(url, node)))
  await stores[0]!.commit({ createThread: aThreadDraft() })
  const limits = { maxTurns: 1000, maxIdenticalFindings: 3 }
  const posts = Array.from({ length: 30 }, (_, at) =>
    stores[at % 3]!.commit({ post: aMessageDraft({ text: `message ${at}`, limits }) }),
  )
  await Promise.all(posts)
  const messages = await stores[0]!.messages(THREAD_ID, { after: 0, most: 99 })
  expect(messages.map(({ number }) => number)).toEqual(posts.map((_, at) => at + 1))
  expect(new Set(messages.map(({ text }) => text)).size).toBe(30)
  expect(await stores[0]!.thread(THREAD_ID)).toMatchObject({ turnsWithoutProgress: 30 })
})

test('connections the server cuts are replaced', async () => {
  const store = await openAt(await postgres.freshUrl())
  await create(store, 'before')
  await postgres.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()')
  await waitFor('a new connection', () => store.lastSeq().catch(() => undefined))
  await create(store, 'after')
  expect((await store.tasks()).map(({ id }) => id)).toEqual([taskId('before'), taskId('after')])
})

/** Runs `meanwhile` while every write of a store has to wait for the counters. */
async function whileCountersAreLocked(url: string, meanwhile: () => Promise<void>) {
  const { db } = openDatabase({ url })
  onTestFinished(() => db.destroy())
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('counters').set({ value: 0 }).execute()
    await meanwhile()
  })
}
const waiting = "from pg_stat_activity where wait_event_type = 'Lock'"

test('a write whose connection is cut says so and has written nothing', async () => {
  const url = await postgres.freshUrl()
  const store = await openAt(url)
  await whileCountersAreLocked(url, async () => {
    const cut = rejectsWith(create(store, 'one'), 'STORE_UNREACHABLE')
    await waitFor('the write to be cut while it waits', async () => {
      const rows = await postgres.query(`select pg_terminate_backend(pid) ${waiting}`)
      return rows.length > 0
    })
    await cut
  })
  expect(await store.tasks()).toEqual([])
  expect(await store.lastSeq()).toBe(0)
})

test('a new epoch begins only when the writes of the older one are done', async () => {
  const url = await postgres.freshUrl()
  const store = await openAt(url)
  let created: Promise<unknown> | undefined
  let opened: Promise<Store> | undefined
  await whileCountersAreLocked(url, async () => {
    created = create(store, 'one')
    await waitFor('the write to wait', async () => (await postgres.query(`select 1 ${waiting}`)).length === 1)
    opened = openAt(url)
    await waitFor(
      'the opening to wait',
      async () => (await postgres.query(`select 1 ${waiting}`)).length === 2,
    )
  })
  await created
  expect((await opened)?.epoch).toBe(2)
})

test('a writer that is stopped inside its transaction holds the counter for ten seconds, and no longer', async () => {
  const url = await postgres.freshUrl()
  const store = await openAt(url)
  let goOn = () => {}
  const stopped = new Promise<void>((resolve) => (goOn = resolve))
  let isStopped = () => {}
  const holds = new Promise<void>((resolve) => (isStopped = resolve))
  const held = whileCountersAreLocked(url, async () => {
    isStopped()
    await stopped
  })
  const cut = rejectsWith(
    held.catch((error) => Promise.reject(new HoldfastError('STORE_UNREACHABLE', String(error)))),
    'STORE_UNREACHABLE',
  )
  await holds
  const from = performance.now()
  await rejectsWith(create(store, 'too-early'), 'STORE_LOCKED')
  await waitFor('the counter to be free', () => create(store, 'one').catch(() => undefined), 20_000)
  expect(performance.now() - from).toBeLessThan(15_000)
  goOn()
  await cut
  // What it had written is undone.
  expect(await store.lastSeq()).toBe(1)
}, 40_000)

test('a wrong password is reported as unreachable, without telling the password', async () => {
  const url = postgres.url().replace('password', 'not-the-secret')
  const refused = openStore({ url, node: nodeFacts(), clock })
  await rejectsWith(refused, 'STORE_UNREACHABLE')
  await expect(refused).rejects.not.toThrow(/not-the-secret/)
})

test('a database that does not answer is reported as unreachable', async () => {
  const nowhere = 'postgres://postgres:secret@127.0.0.1:1/postgres'
  await rejectsWith(openStore({ url: nowhere, node: nodeFacts(), clock }), 'STORE_UNREACHABLE')
  const missing = postgres.url().replace(/postgres$/, 'no_such_database')
  await rejectsWith(openStore({ url: missing, node: nodeFacts(), clock }), 'STORE_UNREACHABLE')
})

test('a url that is none, or of another database, is a mistake in the config', async () => {
  for (const url of ['mysql://localhost/x', 'postgres://[::1', ''])
    await rejectsWith(openStore({ url, node: nodeFacts(), clock }), 'CONFIG_INVALID')
})
