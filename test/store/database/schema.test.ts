import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Store } from '../../../src/ports/store/store.ts'
import { type Database, type DatabasePlace, openDatabase } from '../../../src/store/database/backends.ts'
import { syncedAlready } from '../../../src/store/database/group-sync.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { tasks } from '../../../src/store/database/migrations/0001-tasks.ts'
import { taskKeys } from '../../../src/store/database/migrations/0014-task-keys.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { anAudit } from '../../builders/audit.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { anInputDraft } from '../../builders/input.ts'
import { aNoticeDraft } from '../../builders/notice.ts'
import { usePostgres } from '../../helpers/postgres.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { everything, rejectsWith } from '../expectations.ts'
import { clock, create, nodeFacts } from '../samples.ts'
import { addInput } from '../writes.ts'

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

/** A store as version 1 left it: one running task with a run, an ended one, and events of which the first are forgotten. */
async function makeVersion1({ db, backend }: Database): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run('create table migrations (number int primary key, name text, applied_at bigint)')
  await run("insert into migrations values (1, 'tasks', 0)")
  for (const statement of tasks(backend)) await run(statement)
  for (const [name, status] of Object.entries({ old: 'running', done: 'completed' }))
    await run(`insert into tasks
      (id, node_id, status, priority, created_at, moves, tidied, agent, mode, workspace_id, project, dir,
       created_by, worked_ms, tokens_in, tokens_out, cost_usd, tags, meta, snapshot)
      values ('${taskId(name)}', 'node-a', '${status}', 0, ${NOON}, 1, 1, 'scripted', 'headless', 'w', '/p', '/p',
       'person', 0, 0, 0, 0, '[]', '{}', '{"prompt":"# hello\\nthere"}')`)
  await run(`insert into runs
    (id, task_id, number, node_id, state, created_at, events_offset, output_length, unknown_lines)
    values ('run-1', '${taskId('old')}', 1, 'node-a', 'live', ${NOON}, 7, 3, 0)`)
  await run("insert into nodes values ('node-a', 'host', 1, '0.1.0', 4, 0)")
  for (const seq of [3, 4, 5])
    await run(`insert into events (seq, node_id, at, kind, task_id, data)
      values (${seq}, 'node-a', ${NOON}, 'task_created', '${taskId('old')}', '{"reason":"x"}')`)
  await run("update counters set value = 5 where name = 'event_seq'")
}

test.each(Object.keys(places))('%s: a store of version 1 is opened with all its tasks', async (name) => {
  const place = await places[name]!()
  await makeVersion1(opened(place))
  const store = await openStore({ ...place, node: nodeFacts(), clock })
  onTestFinished(() => store.close())
  const columns = { name: null, title: 'hello', hookViolations: [], retries: 0, archivedAt: null }
  const old = { ...columns, snapshot: { prompt: '# hello\nthere' } }
  expect(await store.task(taskId('done'))).toMatchObject({ status: 'completed', ...old })
  expect(await store.task(taskId('old'))).toMatchObject({ status: 'running', ...old })
  expect(await store.openRuns()).toMatchObject([
    { id: 'run-1', eventsOffset: 7, inputLength: 0, how: 'start', steps: [] },
  ])
  expect(await store.inputs(taskId('old'))).toEqual([])
  expect(await addInput(store, anInputDraft(taskId('old')), anAudit())).toMatchObject({ number: 1 })
  expect(await store.counts()).toMatchObject({ running: 1, completed: 1, pending: 0 })
  const { events } = await store.journalAfter(await store.journalStart(), 9)
  expect(events.map(({ seq, kind }) => [seq, kind])).toEqual([
    [3, 'task_created'],
    [4, 'task_created'],
    [5, 'task_created'],
    [6, 'input_queued'],
  ])
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

/** As it was before each node had notices of its own. What came later is undone first. */
async function undoNoticesOfNodes({ db }: Database): Promise<void> {
  for (const statement of [
    'drop table node_signs',
    "delete from migrations where name = 'node signs'",
    "delete from migrations where name = 'readers of nodes'",
    ...['cause_node', 'cause_seq', 'depth'].map((column) => `alter table events drop column ${column}`),
    'alter table orders drop column took_effect',
    "delete from migrations where name = 'causes'",
    'drop index tasks_by_end',
    'drop index tasks_archived_by_end',
    "delete from migrations where name = 'ends'",
    'drop index notices_unbound',
    'alter table notices drop column node_id',
    'create index notices_unbound on notices (channel, at, id) where delivery_id is null and dropped is null',
    "delete from migrations where name = 'notices of nodes'",
  ])
    await sql.raw(statement).execute(db)
}

test.each(Object.keys(places))('%s: the keys of tasks are known to later versions', async (name) => {
  const place = await places[name]!()
  const { db, backend } = opened(place)
  await migrate({ db, backend, disk: syncedAlready }, NOON)
  const run = (statement: string) => sql.raw(statement).execute(db)
  await undoNoticesOfNodes({ db, backend, disk: syncedAlready })
  await run('drop table request_keys')
  await run("delete from migrations where name = 'request keys'")
  for (const statement of taskKeys(backend)) await run(statement)
  await run(`insert into task_keys values ('ada', 'k', 'd', '${taskId('one')}')`)
  const store = await openStore({ ...place, node: nodeFacts(), clock })
  onTestFinished(() => store.close())
  const known = { createdBy: 'ada', route: 'POST /api/tasks', key: 'k' }
  expect(await store.requestWithKey(known)).toMatchObject({ ...known, digest: 'd', taskId: taskId('one') })
})

test.each(Object.keys(places))(
  '%s: what waited for one reader of all nodes goes on with that of each node',
  async (name) => {
    const place = await places[name]!()
    const open = async (node: string) => {
      const now = () => (node === 'node-b' ? NOON + 1 : NOON)
      const store = await openStore({ ...place, node: nodeFacts(node), clock: { now } })
      onTestFinished(() => store.close())
      return store
    }
    const [first, last] = [await open('node-a'), await open('node-b')]
    await create(first, 'one')
    const { place: reached } = await last.takeSubscriber('notices', NOON)
    const { place: read } = await last.takeSubscriber('unread', NOON)
    await create(last, 'two')
    const [event] = await last.events(0, 1)
    await last.commit({
      notices: [
        aNoticeDraft('n1'),
        aNoticeDraft('n2', { taskId: taskId('two') }),
        aNoticeDraft('n3', { taskId: null }),
      ],
      setAside: { subscriber: 'notices', event: event!, at: NOON, error: 'locked' },
    })
    await last.commit({ setAside: { subscriber: 'unread', event: event!, at: NOON, error: 'deaf' } })
    await undoNoticesOfNodes(opened(place))
    const [a, b] = [await open('node-a'), await open('node-b')]
    const waiting = async (store: Store) => (await store.unboundNotices('phone', 9)).map(({ id }) => id)
    expect([await waiting(a), await waiting(b)]).toEqual([['n1'], ['n2', 'n3']])
    expect((await a.subscribers()).map(({ name: reader, place: at }) => [reader, at])).toEqual([
      ['notices@node-a', reached],
      ['notices@node-b', reached],
      ['unread@node-a', read],
      ['unread@node-b', read],
    ])
    expect(await b.setAsides('notices@node-b')).toMatchObject([{ error: 'locked' }])
    expect(await b.setAsides('unread@node-b')).toMatchObject([{ error: 'deaf' }])
    expect(await a.events(0, 9)).toMatchObject([{ kind: 'task_created', cause: null, depth: 0 }])
  },
)
