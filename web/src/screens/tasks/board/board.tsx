// Owns the board: the same tasks in four columns, each of which draws only what is in view.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { Link } from 'wouter'
import type { TaskRowJson } from '../../../../../src/protocol/json/task-json.ts'
import { GoesOn } from '../../../parts/age.tsx'
import { Chip } from '../../../parts/chip.tsx'
import { Took } from '../../../parts/took.tsx'
import { type Place, placeOf, stateWord } from '../../../words/state.ts'
import { timeOrNull } from '../../../words/time.ts'
import { columnCount, type Loaded } from './column-count.ts'

const COLUMNS: readonly { readonly place: Place; readonly name: string }[] = [
  { place: 'needs_you', name: 'Needs you' },
  { place: 'at_work', name: 'At work' },
  { place: 'waiting', name: 'Waiting' },
  { place: 'ended', name: 'Ended' },
]

/** `loaded`: how much of the list the rows are. */
export function Board({
  rows,
  loaded,
  onSee,
}: {
  readonly rows: readonly TaskRowJson[]
  readonly loaded: Omit<Loaded, 'hasEnded'>
  readonly onSee: (from: number, to: number) => void
}) {
  const columns = useMemo(() => {
    const byPlace = new Map<Place, TaskRowJson[]>(COLUMNS.map(({ place }) => [place, []]))
    for (const row of rows) byPlace.get(placeOf(row))?.push(row)
    return byPlace
  }, [rows])
  const someEnded = columns.get('ended')?.length !== 0
  return (
    <div className="grid auto-cols-[minmax(225px,1fr)] grid-flow-col gap-3 overflow-x-auto">
      {COLUMNS.map(({ place, name }) => (
        <Column
          key={place}
          name={name}
          count={columnCount(place, columns.get(place)?.length ?? 0, { ...loaded, hasEnded: someEnded })}
          rows={columns.get(place) ?? []}
          // Ended tasks come last in the list: more of them are loaded at the end of their column.
          onEnd={place === 'ended' ? () => onSee(0, rows.length) : undefined}
        />
      ))}
    </div>
  )
}

const CARD_PX = 84
/** So many cards before its end, a column asks for more. */
const NEAR_END = 10

function Column({
  name,
  count,
  rows,
  onEnd,
}: {
  readonly name: string
  readonly count: string
  readonly rows: readonly TaskRowJson[]
  readonly onEnd: (() => void) | undefined
}) {
  const box = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => CARD_PX,
    overscan: 6,
    getItemKey: (index) => rows[index]?.session_id ?? index,
  })
  const items = virtual.getVirtualItems()
  const isNearEnd = (items.at(-1)?.index ?? 0) >= rows.length - NEAR_END
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every arrival near the end.
  useEffect(() => {
    if (isNearEnd) onEnd?.()
  }, [isNearEnd, rows.length])
  return (
    <section aria-label={name} className="min-w-0">
      <h2 className="mb-2 font-semibold text-sm">
        {name} <span className="font-normal text-mut">{count}</span>
      </h2>
      <section
        ref={box}
        aria-label={`${name}: cards`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so that keys must reach it.
        tabIndex={0}
        className="h-[calc(100dvh-220px)] min-h-72 overflow-auto rounded-lg bg-soft/70 p-2"
      >
        <ul className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => (
            <li
              key={key}
              className="absolute inset-x-0 pb-2"
              style={{ height: CARD_PX, transform: `translateY(${start}px)` }}
            >
              <BoardCard row={rows[index]!} />
            </li>
          ))}
        </ul>
      </section>
    </section>
  )
}

function BoardCard({ row }: { readonly row: TaskRowJson }) {
  const until = timeOrNull(row.waits_until)
  return (
    <div
      data-task={row.session_id}
      className="relative flex h-full flex-col justify-between rounded-md border border-line bg-panel px-3 py-2 shadow-lift hover:border-edge"
    >
      <Link href={`/tasks/${row.session_id}`} className="truncate font-semibold after:absolute after:inset-0">
        {row.title}
      </Link>
      <span className="flex items-center justify-between gap-2 text-mut text-sm">
        <Chip {...stateWord(row)} />
        <span className="truncate">{until !== null ? <GoesOn at={until} /> : <Took task={row} />}</span>
      </span>
    </div>
  )
}
