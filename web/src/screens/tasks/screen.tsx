// Owns the list of all tasks: table or board, filters in the address, orders for many at once.
import { useCallback, useEffect, useMemo } from 'react'
import type { RowList } from '../../data/tasks/row-pages.ts'
import { useRows } from '../../data/tasks/rows.ts'
import { Empty } from '../../parts/empty.tsx'
import { Skeleton, Stale } from '../../parts/stale.tsx'
import { Screen } from '../../shell/screen.tsx'
import { Board } from './board/board.tsx'
import { BulkBar } from './bulk/bulk-bar.tsx'
import { FilterBar, useFilters } from './filters.tsx'
import { useSelection } from './selection.ts'
import { Table } from './table/table.tsx'

export function AllTasksScreen() {
  const filters = useFilters()
  const { list, told, see } = useRows(filters)
  const { set: _, ...shown } = filters
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
  // Words are looked for in the browser: a search is over only when every page was loaded.
  useEffect(() => {
    if (isSearching) see(0, Number.POSITIVE_INFINITY)
  }, [isSearching, see])
  const onSee = useCallback(
    (from: number, to: number) => see(from, isSearching ? Number.POSITIVE_INFINITY : to + 50),
    [see, isSearching],
  )
  const total = list.totals?.total ?? rows.length
  return (
    <Screen title="All tasks" wide>
      <FilterBar filters={filters} />
      <p role="status" className="-my-3 min-h-5 text-mut text-sm">
        {told.value !== undefined && countWords(rows.length, list, isSearching)}
      </p>
      <Stale of={told} loading={<Skeleton rows={8} />}>
        {() =>
          rows.length === 0 && whole ? (
            <Empty command='holdfast run "fix the failing login test"'>
              No task is like that. A sentence starts one:
            </Empty>
          ) : filters.view === 'board' ? (
            <Board
              rows={rows}
              loaded={{ totals: isSearching ? undefined : list.totals, whole }}
              onSee={onSee}
            />
          ) : (
            <Table rows={rows} total={total} selection={selection} onSee={onSee} />
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

const figure = (count: number) => count.toLocaleString('en-US')

function countWords(found: number, { rows, totals, whole }: RowList, isSearching: boolean): string {
  const total = totals?.total ?? rows.length
  if (!isSearching) return `${figure(total)} ${total === 1 ? 'task' : 'tasks'}`
  return `${figure(found)} found${whole ? '' : `, ${figure(rows.length)} of ${figure(total)} searched so far`}`
}
