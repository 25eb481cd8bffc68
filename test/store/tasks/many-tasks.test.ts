// With many tasks a page is read as with few: it walks an index, and reads no more than it walks.
import { join } from 'node:path'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Store } from '../../../src/ports/store/store.ts'
import type { ListFilter } from '../../../src/ports/store/task-lists.ts'
import { backendOf, type DatabasePlace, openDatabase } from '../../../src/store/database/backends.ts'
import { plain, type Sql } from '../../../src/store/database/plain-sql.ts'
import type { Tables } from '../../../src/store/database/schema.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { ENTRIES_PER_QUERY, matchingTasks, walkOf } from '../../../src/store/tasks/list-walk.ts'
import { NOON } from '../../builders/ids.ts'
import { usePostgres } from '../../helpers/postgres.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { names, pages, total } from '../read-pages.ts'
import { clock, nodeFacts } from '../samples.ts'

const postgres = usePostgres()
const places: Record<string, () => Promise<DatabasePlace>> = {
  SQLite: async () => ({ path: join(tempDir(), 'holdfast.db') }),
  PostgreSQL: async () => ({ url: await postgres.freshUrl() }),
}

async function opened(place: DatabasePlace): Promise<{ store: Store; db: Kysely<Tables> }> {
  const store = await openStore({ ...place, node: nodeFacts(), clock })
  const { db } = openDatabase(place)
  onTestFinished(async () => {
    await db.destroy()
    await store.close()
  })
  return { store, db }
}

/** Ended tasks by plain SQL, from number `from` on: task n was created n ms after noon and ended n ms before it. One in 500 failed. */
const addTasks = (db: Kysely<Tables>, from: number, to: number) =>
  sql
    .raw(`
      insert into tasks (id, node_id, status, priority, created_at, started_at, ended_at, moves, tidied, agent, mode,
        workspace_id, project, dir, created_by, worked_ms, tokens_in, tokens_out, cost_usd, tags, meta, title, snapshot)
      with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to})
      select '20251118-120000-' || i, 'node-a', case i % 500 when 0 then 'failed' else 'completed' end, 0,
        ${NOON} + i, ${NOON}, ${NOON} - i, 4, 1, 'scripted', 'headless',
        'w', '/project', '/project', 'person', 0, 0, 0, 0, '[]', '{}', 'many', '{}'
      from n`)
    .execute(db)

test.each(Object.keys(places))(
  '%s: of thousands that ended, a filter takes some in short pages, and loses none',
  async (name) => {
    const { store, db } = await opened(await places[name]!())
    await addTasks(db, 1, 3000)
    const failed = { endedSince: NOON - 2600, statuses: ['failed'] } as const
    expect(await pages(store, failed, { most: 5 })).toEqual([['500', '1000'], ['1500', '2000'], ['2500']])
    expect([await total(store, failed), await total(store, { endedSince: NOON - 2600 })]).toEqual([5, 2600])
    const none = await pages(store, { endedSince: NOON - 2600, project: '/other' }, { most: 2 })
    expect(none.flat()).toEqual([])
  },
)

/** What PostgreSQL read of tables and indexes for a query: rows that it took, and rows that it looked at in vain. */
async function rowsRead(db: Kysely<Tables>, { text, values }: Sql): Promise<number> {
  const explain = backendOf({ url: '' }).numbered(`explain (analyze, format json) ${text}`)
  const { rows } = await db.executeQuery<Record<string, string>>(CompiledQuery.raw(explain, [...values]))
  const [{ Plan: plan }] = JSON.parse(Object.values(rows[0]!)[0]!)
  return readIn(plan)
}
type Step = { 'Node Type': string; Plans?: Step[] } & Record<string, number>
const readIn = (step: Step): number => {
  const own = (step['Actual Rows'] ?? 0) + (step['Rows Removed by Filter'] ?? 0)
  const isRead = /Scan$/.test(step['Node Type']) && step['Node Type'] !== 'Subquery Scan'
  const below = (step.Plans ?? []).reduce((sum, one) => sum + readIn(one), 0)
  return below + (isRead ? own * (step['Actual Loops'] ?? 1) : 0)
}

test('PostgreSQL: of three times as many tasks, a page of those that ended since a time reads no more', async () => {
  const { store, db } = await opened(await places.PostgreSQL!())
  const all: ListFilter = { endedSince: NOON - 9000 }
  const after = { part: 'by_end', at: NOON - 100, id: 'x' } as const
  const walk = (filter: ListFilter) => walkOf(filter, { part: 'by_end', after })!
  for (const [from, to] of [
    [1, 10_000],
    [10_001, 30_000],
  ] as const) {
    await addTasks(db, from, to)
    await sql`analyze tasks`.execute(db)
    const page = matchingTasks(walk(all), all, 'by_end', plain`id, title, status`, 51)
    expect(await rowsRead(db, page)).toBe(51 + 51)
    for (const filter of [{ statuses: ['failed'] }, { project: '/other' }] satisfies ListFilter[])
      expect(await rowsRead(db, walk({ ...all, ...filter }).keys(ENTRIES_PER_QUERY))).toBe(ENTRIES_PER_QUERY)
  }
  const { items } = await store.taskPage(all, { after, most: 3, mostEnded: 3 })
  expect(names(items)).toEqual(['100', '101', '102'])
})
