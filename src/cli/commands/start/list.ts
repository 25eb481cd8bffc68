import { setTimeout as sleep } from 'node:timers/promises'
import { HoldfastError } from '../../../domain/errors.ts'
import { printable } from '../../../domain/names/names.ts'
import { statesFor } from '../../../domain/task/status-view.ts'
import type { ListQuery } from '../../../protocol/api.ts'
import type { TaskRowJson, TotalsJson } from '../../../protocol/json/task-json.ts'
import { cursorOf } from '../../../protocol/list-cursor.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { writeJsonList } from '../../render/print/write-json.ts'
import { listLines, type Shown } from '../../render/text/list-text.ts'
import { sinceTime } from '../../since.ts'
import { currentProject } from '../../wire/current-project.ts'
import { fetchRows, fetchTasks, type ListPage, listPages } from '../../wire/list-pages.ts'

type Options = InputOf<'list'>['options']
/** How many ended sessions are shown without --limit. */
const DEFAULT_ENDED = 50
const REDRAW_EVERY_MS = 1000
const CLEAR = '\x1b[H\x1b[2J'

export async function list({ options }: InputOf<'list'>, context: Context): Promise<number> {
  const query = await queryOf(options, context)
  const most = mostEnded(options)
  if (context.json && !options.watch) {
    await printJson(query, most, context)
    return 0
  }
  const lines = async () => {
    const shown = await collect(listPages(fetchRows(context.daemon()), query, most))
    const byEnd = query.ended_since !== undefined
    return listLines(shown, { width: context.width(), paint: context.paint, tree: options.tree, byEnd })
  }
  if (options.watch) return await watch(lines, context)
  context.out((await lines()).join('\n'))
  return 0
}

/** Prints page by page: all sessions together may not fit into memory. */
async function printJson(query: ListQuery, most: number, context: Context): Promise<void> {
  let totals: TotalsJson | null = null
  let next: string | null = null
  async function* batches() {
    for await (const page of listPages(fetchTasks(context.daemon()), query, most)) {
      totals ??= page.totals
      next = page.next
      yield page.items
    }
  }
  await writeJsonList('tasks', batches(), () => [
    ['totals', totals],
    ['next', next],
  ])
}

async function collect(pages: AsyncIterable<ListPage<TaskRowJson>>): Promise<Shown> {
  const rows: TaskRowJson[] = []
  let totals: TotalsJson | undefined
  let next: string | null = null
  for await (const page of pages) {
    for (const row of page.items) rows.push(row)
    totals ??= page.totals ?? undefined
    next = page.next
  }
  return { rows, totals: totals!, next }
}

/** Redraws until Ctrl-C. Lines that do not fit on the screen are left out above the totals. */
async function watch(fetch: () => Promise<string[]>, { json, out }: Context): Promise<never> {
  if (json || !process.stdout.isTTY) throw new HoldfastError('USAGE', '--watch needs a terminal.')
  for (;;) {
    const lines = await fetch()
    const above = lines.slice(0, Math.max(0, process.stdout.rows - 3))
    out(CLEAR + (lines.length < process.stdout.rows ? lines : [...above, ...lines.slice(-2)]).join('\n'))
    await sleep(REDRAW_EVERY_MS)
  }
}

function mostEnded({ all, limit }: Options): number {
  if (all && limit !== undefined) throw new HoldfastError('USAGE', 'Choose one of --all and --limit.')
  if (all) return Number.POSITIVE_INFINITY
  if (limit === undefined) return DEFAULT_ENDED
  if (/^\d{1,9}$/.test(limit)) return Number(limit)
  throw new HoldfastError('USAGE', `--limit takes a whole number, not '${printable(limit)}'.`)
}

async function queryOf(
  { status, tag, parent, after, ...options }: Options,
  context: Context,
): Promise<ListQuery> {
  if (status !== undefined) statesFor(status)
  if (after !== undefined && cursorOf(after) === undefined)
    throw new HoldfastError(
      'USAGE',
      "--after needs the value of 'next' from an earlier `holdfast list --json`.",
    )
  const since = options['ended-since']
  const project = options['project-only'] ? await currentProject(context.path(), context.daemon()) : undefined
  return {
    status,
    tag,
    project,
    parent,
    archived: options.archived ? '1' : undefined,
    runtimes: options.runtimes ? '1' : undefined,
    ended_since: since === undefined ? undefined : sinceTime('--ended-since', since, Date.now()),
    after,
  }
}
