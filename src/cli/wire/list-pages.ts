// Owns reading the list page by page: all sessions that have not ended, then as many ended ones as are wanted.
import { isEnded, type TaskStatus } from '../../domain/task/machine.ts'
import type { ListQuery } from '../../protocol/api.ts'
import type { TaskJson, TaskRowJson, TotalsJson } from '../../protocol/json/task-json.ts'
import { leavesUnended } from '../../protocol/list-cursor.ts'
import type { DaemonClient } from './client.ts'

export type ListPage<Item> = {
  readonly items: readonly Item[]
  readonly totals: TotalsJson | null
  readonly next: string | null
}
type Fetch<Item> = (query: ListQuery) => Promise<ListPage<Item>>
type Listed = { readonly session_id: string; readonly task_status: TaskStatus }

export const fetchTasks =
  (daemon: DaemonClient): Fetch<TaskJson> =>
  async (query) => {
    const { tasks: items, totals, next } = await daemon.call('GET /api/tasks', { query })
    return { items, totals, next }
  }

export const fetchRows =
  (daemon: DaemonClient): Fetch<TaskRowJson> =>
  async (query) => {
    const { rows: items, totals, next } = await daemon.call('GET /api/tasks/rows', { query })
    return { items, totals, next }
  }

/** More sessions than anybody has. */
const MOST = 1_000_000_000

/** Only the first page has totals. The `next` of the last one is where another call may go on. */
export async function* listPages<Item extends Listed>(
  fetch: Fetch<Item>,
  query: ListQuery,
  mostEnded: number,
): AsyncGenerator<ListPage<Item>> {
  // A session that ends while the pages are read would come a second time, among the ended ones.
  const shown = new Set<string>()
  let left = mostEnded
  let after = query.after
  for (let isFirst = true; ; isFirst = false) {
    const limit = String(Math.min(left, MOST))
    const page = await fetch({ ...query, after, limit, totals: isFirst ? undefined : '0' })
    const items = page.items.filter(({ session_id }) => !shown.has(session_id))
    for (const { session_id, task_status } of items) if (!isEnded(task_status)) shown.add(session_id)
    left -= items.filter(({ task_status }) => isEnded(task_status)).length
    yield { totals: page.totals, next: page.next ?? null, items }
    // A daemon of another version may not send `next` at all.
    if (!page.next || (left <= 0 && !leavesUnended(page.next))) return
    after = page.next
  }
}
