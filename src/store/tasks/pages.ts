// Owns the list in pages. A page walks an index from where the last one stopped and reads a limited number of entries, so
// that it takes as long with a hundred tasks as with a million, whatever the filter leaves out.
import { setImmediate as letOthersWork } from 'node:timers/promises'
import type { Phase, TaskStatus } from '../../domain/task/machine.ts'
import type { Store } from '../../ports/store/store.ts'
import type { ListCount, ListFilter, ListPlace, Page, PageAsk } from '../../ports/store/task-lists.ts'
import { type Holding, read } from '../database/holding.ts'
import { joined, plain, runSql, runSqlAsJson, type Sql } from '../database/plain-sql.ts'
import { endedCounts } from '../journal/counters.ts'
import {
  ENTRIES_PER_QUERY,
  matchingTasks,
  type Part,
  type Place,
  statusesOf,
  type Walk,
  walkOf,
} from './list-walk.ts'
import { asJsonValues, columns, summaries } from './summaries.ts'
import { ROW, type RowValues, rowOf, SUMMARY } from './task-rows.ts'

type ReadItems<Item> = (found: (columns: Sql) => Sql) => Promise<Item[]>

export const taskPages = (holding: Holding): Pick<Store, 'taskPage' | 'rowPage' | 'listTotals'> => ({
  taskPage: (filter, asked) =>
    page(holding, filter, asked, (found) => summaries(holding, found(columns(SUMMARY)))),
  rowPage: (filter, asked) =>
    page(holding, filter, asked, async (found) => {
      const values = await runSqlAsJson<RowValues>(holding, asJsonValues(ROW), found(columns(ROW)))
      return values.map(rowOf)
    }),
  listTotals: (filter) => totals(holding, filter),
})

async function page<Item extends Place>(
  holding: Holding,
  filter: ListFilter,
  { after, most, mostEnded }: PageAsk,
  readItems: ReadItems<Item>,
): Promise<Page<Item>> {
  const unended = after?.ended
    ? { items: [], next: null }
    : await part(holding, filter, { ended: false, after }, most, readItems)
  if (unended.next !== null) return unended
  const left = Math.min(most - unended.items.length, mostEnded)
  const from = { ended: true, after: after?.ended ? after : null }
  const ended = await part(holding, filter, from, left, readItems)
  return { items: [...unended.items, ...ended.items], next: ended.next }
}

async function part<Item extends Place>(
  holding: Holding,
  filter: ListFilter,
  { ended, after }: Part,
  most: number,
  readItems: ReadItems<Item>,
): Promise<Page<Item>> {
  const walk = walkOf(filter, { ended, after })
  if (walk === null) return { items: [], next: null }
  const placeOf = ({ createdAt, id }: Place): ListPlace => ({ ended, createdAt, id })
  const items = await readItems((wanted) => matchingTasks(walk, filter, ended, wanted, most + 1))
  if (items.length > most)
    return { items: items.slice(0, most), next: placeOf(items[most - 1] ?? after ?? BEFORE_ALL) }
  const stop = walk.isExact ? undefined : await lastWalked(holding, walk)
  return { items, next: stop === undefined ? null : placeOf(stop) }
}

/** The place before the newest task of all. */
const BEFORE_ALL: Place = { createdAt: Number.MAX_SAFE_INTEGER, id: '' }

/** The last entry that a query of this walk reads; undefined when the walk ends before. */
async function lastWalked(holding: Holding, { keys }: Walk): Promise<Place | undefined> {
  const last = plain`select id, created_at from (${keys(ENTRIES_PER_QUERY)}) as walked
    order by created_at desc, id desc limit 1 offset ${ENTRIES_PER_QUERY - 1}`
  return (await runSql<Place>(holding, last))[0]
}

async function totals(holding: Holding, filter: ListFilter): Promise<ListCount[]> {
  const unended = await countPart(holding, filter, false)
  const { parent, tag, project, archived = false } = filter
  if (parent !== undefined || tag !== undefined || project !== undefined)
    return [...unended, ...(await countPart(holding, filter, true))]
  const count = await read(holding, (db) => endedCounts(db, archived))
  const hidden = filter.runtimes ? NONE : await endedRuntimes(holding, archived)
  const ended = statusesOf(filter, true).map((status) => ({
    status,
    phase: null,
    hasStarted: true,
    count: count(status) - (hidden.get(status) ?? 0),
  }))
  return [...unended, ...ended]
}

const NONE: ReadonlyMap<TaskStatus, number> = new Map()

/** The counters count runtimes too; those that were stopped are few. */
async function endedRuntimes(holding: Holding, archived: boolean): Promise<ReadonlyMap<TaskStatus, number>> {
  const rows = await runSql<{ status: TaskStatus }>(
    holding,
    plain`select status from tasks where runtime > '' and ended_at is not null
      and ${archived ? plain`archived_at is not null` : plain`archived_at is null`}`,
  )
  const counts = new Map<TaskStatus, number>()
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1)
  return counts
}

type Counted = { status: TaskStatus; phase: Phase | null; hasStarted: unknown; count: number }

async function countPart(holding: Holding, filter: ListFilter, ended: boolean): Promise<ListCount[]> {
  const counts: ListCount[] = []
  const groups = joined([plain`status`, plain`phase`, plain`started_at is not null`], ', ')
  for (let after: Place | null = null; ; ) {
    const walk = walkOf(filter, { ended, after })
    if (walk === null) return counts
    const inexact = { ...walk, isExact: false }
    const found = matchingTasks(inexact, filter, ended, plain`status, phase, started_at`, ENTRIES_PER_QUERY)
    const rows = await runSql<Counted>(
      holding,
      plain`select status, phase, started_at is not null as has_started, count(*) as count
        from (${found}) as found group by ${groups}`,
    )
    counts.push(...rows.map((row) => ({ ...row, hasStarted: Boolean(row.hasStarted) })))
    const seen = rows.reduce((sum, { count }) => sum + count, 0)
    const stop = walk.isExact && seen < ENTRIES_PER_QUERY ? undefined : await lastWalked(holding, inexact)
    if (stop === undefined) return counts
    after = stop
    await letOthersWork()
  }
}
