import { setTimeout as sleep } from 'node:timers/promises'
import { HoldfastError } from '../../domain/errors.ts'
import { statusesFor } from '../../domain/status-view.ts'
import type { TaskRowJson, TaskRowsJson, TotalsJson } from '../../protocol/task-json.ts'
import type { InputOf } from '../commands.ts'
import type { Context } from '../context.ts'
import { currentProject } from '../current-project.ts'
import type { Paint } from '../render/colour.ts'
import { statusColour, statusText } from '../render/status-text.ts'
import { type Column, table } from '../render/table.ts'
import { elapsed, localMinute } from '../render/time.ts'

type Options = InputOf<'list'>['options']
const REDRAW_EVERY_MS = 1000
const CLEAR = '\x1b[H\x1b[2J'

export async function list({ options }: InputOf<'list'>, context: Context): Promise<number> {
  const query = await queryOf(options, context)
  if (context.json && !options.watch) {
    context.show(await context.daemon().call('GET /api/tasks', { query }), () => [])
    return 0
  }
  const lines = async () =>
    listLines(await context.daemon().call('GET /api/tasks/rows', { query }), context.width(), context.paint)
  if (options.watch) return await watch(lines, context)
  context.out((await lines()).join('\n'))
  return 0
}

/** Until Ctrl-C. What does not fit on the screen is left out above the totals. */
async function watch(fetch: () => Promise<string[]>, { json, out }: Context): Promise<never> {
  if (json || !process.stdout.isTTY) throw new HoldfastError('USAGE', '--watch needs a terminal.')
  for (;;) {
    const lines = await fetch()
    const above = lines.slice(0, Math.max(0, process.stdout.rows - 3))
    out(CLEAR + (lines.length < process.stdout.rows ? lines : [...above, ...lines.slice(-2)]).join('\n'))
    await sleep(REDRAW_EVERY_MS)
  }
}

async function queryOf({ status, tag, ...options }: Options, context: Context) {
  if (status !== undefined) statusesFor(status)
  const project = options['project-only'] ? await currentProject(context.path(), context.daemon()) : undefined
  return { status, tag, project, archived: options.archived ? '1' : undefined }
}

export function listLines({ rows, totals }: TaskRowsJson, width: number, paint: Paint): string[] {
  if (rows.length === 0) return ['No sessions found']
  return [...table(columns(paint), rows, width), '', totalLine(totals)]
}

const columns = (paint: Paint): Column<TaskRowJson>[] => [
  { title: 'SESSION ID', of: (task) => task.session_id, least: 24, rank: 5 },
  { title: 'AGENT', of: (task) => task.agent, least: 6, rank: 2 },
  {
    title: 'STATUS',
    of: statusText,
    least: 9,
    rank: 4,
    paint: (text, task) => paint(statusColour[task.status], text),
  },
  { title: 'STARTED', of: (task) => localMinute(task.started_at), least: 16, rank: 1 },
  { title: 'ELAPSED', of: (task) => elapsed(task.elapsed_seconds), least: 7, rank: 3 },
]

/** `Total: 3 sessions (1 running, 1 completed, 1 failed)` */
export function totalLine({ total, ...counts }: TotalsJson): string {
  const parts = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []))
  return `Total: ${total} ${total === 1 ? 'session' : 'sessions'} (${parts.join(', ')})`
}
