import { chmodSync, copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { asNodeId } from '../../src/domain/names/ids.ts'
import { sqlite as backend, kyselyOver } from '../../src/store/database/backends.ts'
import { syncedAlready } from '../../src/store/database/group-sync.ts'
import { takeEpoch } from '../../src/store/database/holding.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { sqliteDialect } from '../../src/store/database/sqlite-dialect.ts'
import { openSqlite } from '../../src/store/database/sqlite-library.ts'
import { openStore, storeOver } from '../../src/store/open-store.ts'
import { NOON } from '../builders/ids.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { everything, expectConsistent, rejectsWith } from './expectations.ts'
import { clock, create, nodeFacts } from './samples.ts'
import { buildWriter, spawnNode } from './spawn-writer.ts'

async function openAt(path: string) {
  const store = await openStore({ path, node: nodeFacts(), clock, busyTimeoutMs: 50 })
  onTestFinished(() => store.close())
  return store
}

test('a killed writer loses nothing that it was told is stored', async () => {
  const path = join(tempDir(), 'holdfast.db')
  const script = await buildWriter()
  for (const round of ['one', 'two', 'three']) {
    const writer = spawnNode([script, path, round, '1000000'])
    await waitFor('some commits', () => writer.said.split('\n').length > 40)
    writer.kill()
    await writer.ended
    const store = await openAt(path)
    const stored = new Set<string>((await store.tasks()).map(({ id }) => id))
    const acknowledged = writer.said.split('\n').slice(0, -1)
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
    await expectConsistent(store)
    await store.close()
  }
})

test('processes that write at once each count without gaps', async () => {
  const path = join(tempDir(), 'holdfast.db')
  const script = await buildWriter()
  const writers = ['a', 'b', 'c'].map((node) => spawnNode([script, path, node, '40']))
  expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0])
  const store = await openAt(path)
  const { at } = await store.journalEnd()
  expect(at).toMatchObject({ a: 40, b: 40, c: 40 })
  expect(await store.counts()).toMatchObject({ pending: 120 })
  await expectConsistent(store)
})

/** Another process that holds the database until it is killed. */
async function locker(path: string) {
  const script = `
    const { DatabaseSync } = require('@photostructure/sqlite')
    new DatabaseSync(process.argv[1]).exec('BEGIN EXCLUSIVE')
    process.stdin.resume()
    console.log('locked')`
  const running = spawnNode(['-e', script, path])
  await waitFor('the lock', () => running.said.includes('locked'))
  return running
}

test('a database that another process holds is reported as locked, new or not', async () => {
  const fresh = join(tempDir(), 'holdfast.db')
  await locker(fresh)
  await rejectsWith(openAt(fresh), 'STORE_LOCKED')
})

test('while another process holds the database we can read, and write again when it is gone', async () => {
  const path = join(tempDir(), 'holdfast.db')
  const store = await openAt(path)
  await create(store, 'before')
  const before = await everything(store)
  const other = await locker(path)
  await rejectsWith(create(store, 'meanwhile'), 'STORE_LOCKED')
  await rejectsWith(store.checkWrites(), 'STORE_LOCKED')
  await rejectsWith(openAt(path), 'STORE_LOCKED')
  expect(await everything(store)).toEqual(before)
  other.kill()
  await other.ended
  await store.checkWrites()
  await create(store, 'after')
  await expectConsistent(store)
})

test('a file that is no database is reported and left as it is', async () => {
  const path = join(tempDir(), 'holdfast.db')
  writeFileSync(path, 'my diary\n'.repeat(1000))
  await rejectsWith(openAt(path), 'STORE_CORRUPT')
  expect(readFileSync(path, 'utf8')).toBe('my diary\n'.repeat(1000))
})

test('a database with damaged pages is reported as corrupt', async () => {
  const path = join(tempDir(), 'holdfast.db')
  const store = await openAt(path)
  await create(store, 'one')
  await store.close()
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0xa5, 4096))
  await rejectsWith(openAt(path), 'STORE_CORRUPT')
})

test('once it is closed, the database file alone holds everything', async () => {
  const path = join(tempDir(), 'holdfast.db')
  const store = await openAt(path)
  await create(store, 'one')
  const before = await everything(store)
  await store.close()
  const copy = join(tempDir(), 'backup.db')
  copyFileSync(path, copy)
  expect(await everything(await openAt(copy))).toEqual(before)
})

test('a full disk is reported, has written nothing, and is got over', async () => {
  const sqlite = openSqlite(join(tempDir(), 'holdfast.db'))
  const db = kyselyOver(sqliteDialect(sqlite))
  onTestFinished(() => db.destroy())
  await migrate({ db, backend, disk: syncedAlready }, NOON)
  const epoch = await takeEpoch({ db, backend, disk: syncedAlready }, nodeFacts(), NOON)
  const store = storeOver({
    db,
    backend,
    disk: syncedAlready,
    nodeId: asNodeId('node-a'),
    epoch,
    now: () => NOON,
  })
  const before = await everything(store)
  sqlite.exec('PRAGMA max_page_count=1')
  const large = { meta: { large: 'x'.repeat(100_000) } }
  await rejectsWith(create(store, 'one', large), 'DISK_FULL')
  expect(await everything(store)).toEqual(before)
  sqlite.exec('PRAGMA max_page_count=100000')
  await create(store, 'one', large)
  await expectConsistent(store)
})

/** Nobody may write there: for root, whom no mode stops, a file system that has no place for files. */
function readOnlyDir() {
  if (process.getuid?.() === 0) return '/sys'
  const dir = tempDir()
  chmodSync(dir, 0o500)
  return dir
}

test('a place where we may not write is reported as such', async () => {
  const dir = tempDir()
  mkdirSync(join(dir, 'a-directory'))
  writeFileSync(join(dir, 'a-file'), '')
  for (const path of [
    join(readOnlyDir(), 'holdfast.db'),
    join(dir, 'missing', 'holdfast.db'),
    join(dir, 'a-directory'),
    join(dir, 'a-file', 'holdfast.db'),
  ])
    await rejectsWith(openAt(path), 'HOME_NOT_WRITABLE')
})

test('the database is for its owner only', async () => {
  const path = join(tempDir(), 'holdfast.db')
  const sqlite = openSqlite(path)
  onTestFinished(() => sqlite.close())
  sqlite.exec('create table t (x)')
  for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600)
  const pragma = (name: string) => Object.values(sqlite.prepare(`PRAGMA ${name}`).get())[0]
  expect(['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'].map(pragma)).toEqual([
    'wal',
    1,
    1,
    5000,
  ])
})
