import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Database, type DatabasePlace, openDatabase } from '../../src/store/backends.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openStore } from '../../src/store/open-store.ts'
import { usePostgres } from '../helpers/postgres.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { everything, rejectsWith } from './expectations.ts'
import { clock, create, NOON, nodeFacts } from './samples.ts'

const postgres = usePostgres()
const places: Record<string, () => Promise<DatabasePlace>> = {
  SQLite: async () => ({ path: join(tempDir(), 'holdfast.db') }),
  PostgreSQL: async () => ({ url: await postgres.freshUrl() }),
}

function opened(place: DatabasePlace): Database {
  const database = openDatabase(place)
  onTestFinished(() => database.db.destroy())
  return database
}

async function columnsOf(place: DatabasePlace) {
  const database = opened(place)
  await migrate(database, NOON)
  const tables = await database.db.introspection.getTables()
  const mine = tables.filter(({ schema }) => place.path || place.url?.endsWith(`%3D${schema}`))
  const columns = mine.flatMap(({ name, columns }) =>
    columns.map((column) => `${name}.${column.name}${column.isNullable ? '?' : ''}`),
  )
  return columns.sort()
}

test('both backends have the same tables and columns, empty in the same places', async () => {
  const sqlite = await columnsOf(await places.SQLite!())
  expect(sqlite.length).toBeGreaterThan(80)
  expect(await columnsOf(await places.PostgreSQL!())).toEqual(sqlite)
})

test.each(Object.keys(places))('%s: a store of a newer version is left alone', async (name) => {
  const place = await places[name]!()
  const store = await openStore({ ...place, node: nodeFacts(), clock })
  onTestFinished(() => store.close())
  await create(store, 'one')
  const before = await everything(store)
  await opened(place)
    .db.insertInto('migrations')
    .values({ number: 999, name: 'later', appliedAt: NOON })
    .execute()
  await rejectsWith(openStore({ ...place, node: nodeFacts(), clock }), 'STORE_NEWER')
  expect(await everything(store)).toEqual(before)
  await create(store, 'two')
})

test.each(Object.keys(places))('%s: a migration that fails leaves nothing behind', async (name) => {
  const place = await places[name]!()
  const { db } = opened(place)
  await db.schema.createTable('nodes').addColumn('inTheWay', 'text').execute()
  await expect(openStore({ ...place, node: nodeFacts(), clock })).rejects.toThrow(/already exists/)
  await db.schema.dropTable('nodes').execute()
  const store = await openStore({ ...place, node: nodeFacts(), clock })
  onTestFinished(() => store.close())
  expect(store.epoch).toBe(1)
})
