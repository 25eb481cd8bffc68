// Owns the dense table. Only rows in view are drawn: ten thousand scroll as ten do.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { TaskRowJson } from '../../../../../src/protocol/json/task-json.ts'
import { classes } from '../../../parts/classes.ts'
import type { Selection } from '../selection.ts'
import { COLUMNS } from './columns.ts'
import type { Sort, SortKey } from './sorted.ts'
import { TableRow } from './table-row.tsx'

const ROW_PX = 38

const HEADS: readonly { readonly key: SortKey; readonly name: string; readonly className: string }[] = [
  { key: 'title', name: 'Task', className: '' },
  { key: 'project', name: 'Project', className: 'max-lg:hidden' },
  { key: 'agent', name: 'Agent', className: 'max-md:hidden' },
  { key: 'cost', name: 'Cost', className: 'text-right max-md:hidden' },
  { key: 'time', name: 'Time', className: 'text-right max-lg:hidden' },
  { key: 'activity', name: 'Last activity', className: 'text-right max-md:hidden' },
]

export function Table({
  rows,
  total,
  selection,
  onSee,
  sort,
  onSort,
}: {
  readonly rows: readonly TaskRowJson[]
  readonly total: number
  readonly selection: Selection
  readonly onSee: (from: number, to: number) => void
  readonly sort: Sort | undefined
  readonly onSort: (key: SortKey) => void
}) {
  const box = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    getItemKey: (index) => rows[index]?.session_id ?? index,
  })
  const items = virtual.getVirtualItems()
  const from = items[0]?.index ?? 0
  const to = items.at(-1)?.index ?? 0
  useEffect(() => onSee(from, to), [from, to, onSee])
  const chosen = rows.length > 0 && rows.every(({ session_id: id }) => selection.ids.has(id))
  return (
    <section
      ref={box}
      aria-label="Tasks"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so that keys must reach it.
      tabIndex={0}
      className="h-[calc(100dvh-200px)] min-h-80 overflow-auto rounded-lg border border-line bg-panel shadow-lift"
    >
      <table aria-label="Tasks" aria-rowcount={total + 1} className="block w-full">
        <thead className="sticky top-0 z-10 block border-line border-b bg-panel">
          <tr className={`${COLUMNS} items-center px-3 py-2 text-left text-mut text-xs *:font-normal`}>
            <th>
              <input
                type="checkbox"
                aria-label="Choose all loaded tasks"
                checked={chosen}
                onChange={() => selection.set(chosen ? [] : rows.map(({ session_id: id }) => id))}
              />
            </th>
            <th>State</th>
            {HEADS.map(({ key, name, className }) => (
              <Head key={key} name={name} className={className} sort={sort} by={key} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody className="relative block" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const row = rows[index]
            return row === undefined ? null : (
              <TableRow
                key={key}
                row={row}
                index={index}
                top={start}
                chosen={selection.ids.has(row.session_id)}
                onToggle={selection.toggle}
              />
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function Head({
  name,
  className,
  sort,
  by,
  onSort,
}: {
  readonly name: string
  readonly className: string
  readonly sort: Sort | undefined
  readonly by: SortKey
  readonly onSort: (key: SortKey) => void
}) {
  const way = sort?.key === by ? (sort.isDown ? 'descending' : 'ascending') : undefined
  return (
    <th aria-sort={way} className={className}>
      <button
        type="button"
        onClick={() => onSort(by)}
        className={classes('hover:text-ink', way !== undefined && 'font-semibold text-ink')}
      >
        {name}
        {way !== undefined && <span aria-hidden="true">{way === 'descending' ? ' ↓' : ' ↑'}</span>}
      </button>
    </th>
  )
}
