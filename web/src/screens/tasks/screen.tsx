// Owns the list of all tasks: table or board, filters in the address, orders for many at once.
import { useCallback, useEffect, useMemo } from 'react'
import { useWorkspaces } from '../../data/installation/places.ts'
import type { RowList } from '../../data/tasks/row-pages.ts'
import { useRows } from '../../data/tasks/rows.ts'
import { Empty } from '../../parts/empty.tsx'
import { Skeleton, Stale } from '../../parts/stale.tsx'
import { Screen } from '../../shell/screen.tsx'
import { Board } from './board/board.tsx'
import { BulkBar } from './bulk/bulk-bar.tsx'
import { FilterBar, type Filters, useFilters } from './filters.tsx'
import { useSelection } from './selection.ts'
import { nextSort, sorted, sortIn } from './table/sorted.ts'
import { Table } from './table/table.tsx'

export function AllTasksScreen() {
  const filters = useFilters()
  const { list, known, see } = useRows(filters)
  const { set: _, sort: __, ...shown } = filters
  const selection = useSelection(JSON.stringify(shown))
  const words = filters.text.toLowerCase().split(/\s+/).filter(Boolean)
  const text = words.join(' ')
  const rows = useMemo(() => {
    const wanted = text.split(' ').filter(Boolean)
    const has = (hay: string) => wanted.every((word) => hay.includes(word))
    return wanted.length === 0
      ? list.rows
      : list.rows.filter(({ title, name, session_id: id, agent }) =>
          has(`${title} ${name ?? ''} ${id} ${agent}`.toLowerCase()),
        )
  }, [list.rows, text])
  const { whole } = list
  const isSearching = text !== ''
  const sort = useMemo(() => sortIn(filters.sort), [filters.sort])
  const ordered = useMemo(() => sorted(rows, sort), [rows, sort])
  // Words are looked for in the browser, and rows are sorted there: both need every page.
  const needsAll = isSearching || sort !== undefined
  useEffect(() => {
    if (needsAll) see(0, Number.POSITIVE_INFINITY)
  }, [needsAll, see])
  const onSee = useCallback(
    (from: number, to: number) => see(from, needsAll ? Number.POSITIVE_INFINITY : to + 50),
    [see, needsAll],
  )
  const workspaces = useWorkspaces().value
  const choices = useMemo(
    () => ({
      projects: [...(workspaces ?? []).map(({ path }) => path), ...list.rows.map(({ project }) => project)],
      agents: list.rows.map(({ agent }) => agent),
    }),
    [workspaces, list.rows],
  )
  const total = list.totals?.total ?? rows.length
  return (
    <Screen title="All tasks" wide>
      <FilterBar
        filters={filters}
        {...choices}
        count={known.value === undefined ? '' : countWords(rows.length, list, isSearching)}
      />
      <Stale of={known} loading={<Skeleton rows={8} />}>
        {() =>
          rows.length === 0 && whole ? (
            <Empty command='holdfast run "fix the failing login test"'>
              {total === 0 && !isFiltered(filters)
                ? 'There are no tasks yet. A sentence starts one:'
                : 'No task matches these filters. A sentence starts one:'}
            </Empty>
          ) : filters.view === 'board' ? (
            <Board
              rows={rows}
              loaded={{ totals: isSearching ? undefined : list.totals, whole }}
              onSee={onSee}
            />
          ) : (
            <Table
              rows={ordered}
              total={total}
              selection={selection}
              onSee={onSee}
              sort={sort}
              onSort={(key) => filters.set('sort', nextSort(sort, key))}
            />
          )
        }
      </Stale>
      <BulkBar
        selection={selection}
        titleOf={(id) => list.rows.find(({ session_id }) => session_id === id)?.title ?? id}
      />
    </Screen>
  )
}

const isFiltered = ({ status, tag, project, agent, archived, text }: Filters) =>
  [status, tag, project, agent, archived, text].some((one) => one !== undefined && one !== '')

const figure = (count: number) => count.toLocaleString('en-US')

function countWords(found: number, { rows, totals, whole }: RowList, isSearching: boolean): string {
  const total = totals?.total ?? rows.length
  if (!isSearching) return `${figure(total)} ${total === 1 ? 'task' : 'tasks'}`
  return `${figure(found)} found${whole ? '' : `, ${figure(rows.length)} of ${figure(total)} searched so far`}`
}
