// Owns the list of tasks. Each page takes only a few milliseconds, because the daemon can do nothing else meanwhile.
import { type Context, Hono } from 'hono'
import { HoldfastError } from '../../../domain/errors.ts'
import { printable } from '../../../domain/names/names.ts'
import { isEnded, TASK_STATUSES } from '../../../domain/task/machine.ts'
import { statesFor } from '../../../domain/task/status-view.ts'
import type { ListFilter, ListPlace, PageAsk } from '../../../ports/store/task-lists.ts'
import { type TaskListJson, type TaskRowsJson, taskRowJson } from '../../../protocol/json/task-json.ts'
import { cursorOf, cursorText } from '../../../protocol/list-cursor.ts'
import type { Desk } from '../../../supervisor/desk.ts'
import type { Uses } from '../../context.ts'
import { timeIn } from '../../requests/query.ts'
import { elsewhereJson } from '../../views/elsewhere.ts'
import { listedTask, totalsJson } from '../../views/task.ts'
import { waitsJson } from '../../views/wait.ts'

const DEFAULT_ENDED = 50
/** A whole task takes several times as long as a row. */
const TASKS_PER_PAGE = 100
const ROWS_PER_PAGE = 500
const UNENDED = TASK_STATUSES.filter((status) => !isEnded(status))

export function listRoutes({ desk }: Uses<'lists' | 'tasks'>): Hono {
  const routes = new Hono()

  const tasks = async (c: Context, filter: ListFilter) => {
    const { items, next } = await desk.lists.tasks(filter, askOf(c, filter, TASKS_PER_PAGE))
    const listed = { tasks: items.map(listedTask), ...(await totalsOf(c, filter)) }
    const list: TaskListJson = { ...listed, next: nextText(next) }
    return c.json(list)
  }
  routes.get('/', async (c) => tasks(c, await filterOf(c, desk)))
  routes.get('/active', async (c) =>
    tasks(c, { ...(await filterOf(c, desk)), statuses: UNENDED, archived: false }),
  )
  routes.get('/rows', async (c) => {
    const filter = await filterOf(c, desk)
    const { items, next } = await desk.lists.rows(filter, askOf(c, filter, ROWS_PER_PAGE))
    const rows = items.map(({ row, at, waits, activeAt, elsewhere }) =>
      taskRowJson(row, at, waitsJson(waits), activeAt, elsewhereJson(elsewhere)),
    )
    const listed = { rows, ...(await totalsOf(c, filter)) }
    const list: TaskRowsJson = { ...listed, next: nextText(next) }
    return c.json(list)
  })

  const totalsOf = async (c: Context, filter: ListFilter) => ({
    totals: c.req.query('totals') === '0' ? null : totalsJson(await desk.lists.totals(filter)),
  })

  return routes
}

const nextText = (next: ListPlace | null) => (next === null ? null : cursorText(next))

async function filterOf(c: Context, { tasks }: Pick<Desk, 'tasks'>): Promise<ListFilter> {
  const { status, tag, project, agent, parent, archived, runtimes, ended_since: endedSince } = c.req.query()
  return {
    states: status === undefined ? undefined : statesFor(status),
    tag,
    project,
    agent,
    parent: parent === undefined ? undefined : (await tasks.find(parent)).id,
    archived: archived === '1',
    runtimes: runtimes === '1',
    endedSince: endedSince === undefined ? undefined : timeIn('ended_since', endedSince),
  }
}

function askOf(c: Context, filter: ListFilter, most: number): PageAsk {
  const { after, limit } = c.req.query()
  return {
    after: after === undefined ? null : placeOf(after, filter),
    most,
    mostEnded: limit === undefined ? DEFAULT_ENDED : limitOf(limit),
  }
}

function placeOf(after: string, { endedSince }: ListFilter): ListPlace {
  const place = cursorOf(after)
  if (place === undefined)
    throw bad(`'after' must be the 'next' of an earlier page, not '${printable(after, 60)}'.`)
  if ((place.part === 'by_end') !== (endedSince !== undefined))
    throw bad("'after' is of a list in another order: give 'ended_since' for all pages, or for none.")
  return place
}

function limitOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw bad(`'limit' must be a whole number, not '${printable(text, 60)}'.`)
  return Number(text)
}

const bad = (message: string) => new HoldfastError('INVALID_REQUEST', message)
