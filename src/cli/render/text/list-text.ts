// Owns the text of the list of sessions: a table that fits the terminal, and the totals.
import type { TaskRowJson, TotalsJson } from '../../../protocol/json/task-json.ts'
import type { Paint } from '../print/colour.ts'
import { type Column, table } from '../print/table.ts'
import { elapsed, localMinute } from '../print/time.ts'
import { asTree, type InTree } from '../print/tree.ts'
import { stateColour, statusText } from './status-text.ts'

/** `next`: not null when there are more sessions, all of which have ended. */
export type Shown = {
  readonly rows: readonly TaskRowJson[]
  readonly totals: TotalsJson
  readonly next: string | null
}
/** `tree`: each session is shown below the one that started it. `byEnd`: they are in the order of their ends, which is shown. */
export type ListStyle = {
  readonly width: number
  readonly paint: Paint
  readonly tree?: boolean
  readonly byEnd?: boolean
}

export function listLines(
  { rows, totals, next }: Shown,
  { width, paint, tree = false, byEnd = false }: ListStyle,
): string[] {
  if (rows.length === 0) return [totals.total === 0 ? 'No sessions found' : restLine(rows, totals)]
  const rest = next === null ? [] : [restLine(rows, totals)]
  const placed = tree ? asTree(rows) : rows.map((row): InTree => ({ row, branch: '' }))
  return [...table(columns(paint, Date.now(), byEnd), placed, width), '', ...rest, totalLine(totals)]
}

const restLine = (rows: readonly TaskRowJson[], { total }: TotalsJson) =>
  `${rows.length} of ${total} shown; the others have ended: --limit N shows more, --all shows all`

/** An id or a status is of no use when it is cut. The title comes last and takes the width that is left. */
const columns = (paint: Paint, now: number, byEnd: boolean): Column<InTree>[] => [
  { title: 'SESSION ID', of: ({ row, branch }) => branch + row.session_id, least: 'whole', rank: 5 },
  { title: 'AGENT', of: ({ row }) => row.agent, least: 6, rank: 2 },
  {
    title: 'STATUS',
    of: ({ row }) => statusText(row, now),
    least: 'whole',
    rank: 4,
    paint: (text, { row }) => paint(stateColour(row), text),
  },
  byEnd
    ? { title: 'ENDED', of: ({ row }) => localMinute(row.completed_at), least: 16, rank: 0 }
    : { title: 'STARTED', of: ({ row }) => localMinute(row.started_at), least: 16, rank: 0 },
  { title: 'ELAPSED', of: ({ row }) => elapsed(row.elapsed_seconds), least: 7, rank: 1 },
  { title: 'ABOUT', of: ({ row }) => row.title, least: 16, rank: 3, isFlexible: true },
]

/** `Total: 3 sessions (1 needs you, 1 running, 1 failed)`: not all that need a person ask something. */
export function totalLine({ total, asking, running, created, ...ended }: TotalsJson): string {
  const counts = {
    [asking === 1 ? 'needs you' : 'need you']: asking,
    running: running - asking,
    created,
    ...ended,
  }
  const parts = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []))
  return `Total: ${total} ${total === 1 ? 'session' : 'sessions'} (${parts.join(', ')})`
}
