import { memo } from 'react'
import { Link } from 'wouter'
import type { TaskRowJson } from '../../../../../src/protocol/json/task-json.ts'
import { Ago, GoesOn } from '../../../parts/age.tsx'
import { Chip } from '../../../parts/chip.tsx'
import { Took } from '../../../parts/took.tsx'
import { stateWord } from '../../../words/state.ts'
import { money, timeOrNull } from '../../../words/time.ts'
import { lastPart } from '../filters.tsx'
import { COLUMNS } from './columns.ts'

export const TableRow = memo(function TableRow({
  row,
  index,
  top,
  chosen,
  onToggle,
}: {
  readonly row: TaskRowJson
  readonly index: number
  readonly top: number
  readonly chosen: boolean
  readonly onToggle: (id: string) => void
}) {
  const until = timeOrNull(row.waits_until)
  const active = timeOrNull(row.last_activity_at)
  return (
    <tr
      aria-rowindex={index + 2}
      data-task={row.session_id}
      className={`${COLUMNS} absolute inset-x-0 h-[38px] items-center border-line border-b px-3 hover:bg-soft/60 ${chosen ? 'bg-accent/8' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
    >
      <td>
        <input
          type="checkbox"
          aria-label={`Choose ${row.title}`}
          checked={chosen}
          onChange={() => onToggle(row.session_id)}
        />
      </td>
      <td>
        <Chip {...stateWord(row)} />
      </td>
      <td className="min-w-0 truncate pr-3">
        <Link href={`/tasks/${row.session_id}`} className="font-semibold hover:underline">
          {row.title}
        </Link>
        {row.name !== null && <span className="text-mut"> {row.name}</span>}
        {row.parent_session !== null && <span className="text-mut"> · child</span>}
      </td>
      <td className="truncate pr-3 text-mut text-sm max-lg:hidden" title={row.project}>
        {lastPart(row.project)}
      </td>
      <td className="truncate pr-3 text-mut text-sm max-md:hidden">{row.agent}</td>
      <td className="text-right text-sm max-md:hidden">{money(row.cost_usd)}</td>
      <td className="text-right text-mut text-sm max-lg:hidden">
        <Took task={row} />
      </td>
      <td className="truncate pl-3 text-right text-mut text-sm max-md:hidden">
        {until !== null ? (
          <span className="text-indigo">
            <GoesOn at={until} />
          </span>
        ) : (
          active !== null && <Ago at={active} />
        )}
      </td>
    </tr>
  )
})
