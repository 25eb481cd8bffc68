// Owns the list in pages. A page walks an index from where the last one stopped and reads a limited number of entries, so
// that it takes as long with a hundred tasks as with a million, whatever the filter leaves out.
import { setImmediate as letOthersWork } from 'node:timers/promises'
import type { Phase, TaskStatus } from '../../domain/task/machine.ts'
import type { Store } from '../../ports/store/store.ts'
import type { ListCount, ListFilter, ListPart, Page, PageAsk } from '../../ports/store/task-lists.ts'
import { type Holding, read } from '../database/holding.ts'
import { joined, plain, runSql, runSqlAsJson, type Sql } from '../database/plain-sql.ts'
import { endedCounts } from '../journal/counters.ts'
import {
  ENTRIES_PER_QUERY,
  type From,
  matchingTasks,
  type Place,
  statusesOf,
  type Walk,
  walkOf,
} from './list-walk.ts'
import { asListedValues, listedColumns, listedTasks } from './summaries.ts'
import { ROW, type RowValues, rowOf, SUMMARY } from './task-rows.ts'

type Listed = { readonly id: string; readonly createdAt: number; readonly endedAt: number | null }
type ReadItems<Item> = (found: (columns: Sql) => Sql) => Promise<Item[]>

export const taskPages = (holding: Holding): Pick<Store, 'taskPage' | 'rowPage' | 'listTotals'> => ({
  taskPage: (filter, asked) =>
    page(holding, filter, asked, (found) => listedTasks(holding, found(listedColumns(SUMMARY)))),
  rowPage: (filter, asked) =>
    page(holding, filter, asked, async (found) => {
      const values = await runSqlAsJson<RowValues>(holding, asListedValues(ROW), found(listedColumns(ROW)))
      return values.map(rowOf)
    }),
  listTotals: (filter) => totals(holding, filter),
})

async function page<Item extends Listed>(
  holding: Holding,
  filter: ListFilter,
  { after, most, mostEnded }: PageAsk,
  readItems: ReadItems<Item>,
): Promise<Page<Item>> {
  if (filter.endedSince !== undefined)
    return pageOf(holding, filter, { part: 'by_end', after }, Math.min(most, mostEnded), readItems)
  const isBehind = after?.part === 'ended'
  const unended = isBehind
    ? { items: [], next: null }
    : await pageOf(holding, filter, { part: 'unended', after }, most, readItems)
  if (unended.next !== null) return unended
  const left = Math.min(most - unended.items.length, mostEnded)
  const from = { part: 'ended', after: isBehind ? after : null } as const
  const ended = await pageOf(holding, filter, from, left, readItems)
  return { items: [...unended.items, ...ended.items], next: ended.next }
}

/** A page of one part of the list. */
async function pageOf<Item extends Listed>(
  holding: Holding,
  filter: ListFilter,
  { part, after }: From,
  most: number,
  readItems: ReadItems<Item>,
): Promise<Page<Item>> {
  const walk = walkOf(filter, { part, after })
  if (walk === null) return { items: [], next: null }
  const items = await readItems((wanted) => matchingTasks(walk, filter, part, wanted, most + 1))
  if (items.length > most) {
    const last = items[most - 1]
    const place = last === undefined ? (after ?? BEFORE_ALL) : placeOf(last, part)
    return { items: items.slice(0, most), next: { ...place, part } }
  }
  const stop = walk.isExact ? undefined : await lastWalked(holding, walk)
  return { items, next: stop === undefined ? null : { ...stop, part } }
}

const placeOf = ({ createdAt, endedAt, id }: Listed, part: ListPart): Place => ({
  at: part === 'by_end' ? (endedAt ?? createdAt) : createdAt,
  id,
})

/** The place before the newest task of all. */
const BEFORE_ALL: Place = { at: Number.MAX_SAFE_INTEGER, id: '' }

/** The last entry that a query of this walk reads; undefined when the walk ends before. */
async function lastWalked(holding: Holding, { keys }: Walk): Promise<Place | undefined> {
  const last = plain`select id, at from (${keys(ENTRIES_PER_QUERY)}) as walked
    order by at desc, id desc limit 1 offset ${ENTRIES_PER_QUERY - 1}`
  return (await runSql<Place>(holding, last))[0]
}

async function totals(holding: Holding, filter: ListFilter): Promise<ListCount[]> {
  if (filter.endedSince !== undefined) return countPart(holding, filter, 'by_end')
  const unended = await countPart(holding, filter, 'unended')
  const { parent, tag, project, agent, archived = false } = filter
  if ([parent, tag, project, agent].some((wanted) => wanted !== undefined))
    return [...unended, ...(await countPart(holding, filter, 'ended'))]
  const count = await read(holding, (db) => endedCounts(db, archived))
  const hidden = filter.runtimes ? NONE : await endedRuntimes(holding, archived)
  const ended = statusesOf(filter, 'ended').map((status) => ({
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

async function countPart(holding: Holding, filter: ListFilter, part: ListPart): Promise<ListCount[]> {
  const counts: ListCount[] = []
  const groups = joined([plain`status`, plain`phase`, plain`started_at is not null`], ', ')
  for (let after: Place | null = null; ; ) {
    const walk = walkOf(filter, { part, after })
    if (walk === null) return counts
    const inexact = { ...walk, isExact: false }
    const found = matchingTasks(inexact, filter, part, plain`status, phase, started_at`, ENTRIES_PER_QUERY)
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
