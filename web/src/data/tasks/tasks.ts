// Owns the short lists of tasks: those that have not ended, and those that have. They are cut where they are too long, and
// say so.
import type { ListedTaskJson, TaskRowJson } from '../../../../src/protocol/json/task-json.ts'
import { call } from '../connection/call.ts'
import { type Known, useResource } from '../held/resource.ts'

/** More than this on one screen helps nobody: the table of all tasks has them. */
const MOST_PAGES = 5

/** All tasks that have not ended, newest first. */
export const useActiveTasks = () => useResource(['tasks', 'active'], activeTasks)

/** `whole` is false when more follow. */
export type TasksSoFar = { readonly tasks: readonly ListedTaskJson[]; readonly whole: boolean }

async function activeTasks(): Promise<TasksSoFar> {
  const tasks: ListedTaskJson[] = []
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const part = await call('GET /api/tasks/active', { query: { after, totals: '0' } })
    tasks.push(...part.tasks)
    if (part.next === null) return { tasks, whole: true }
    after = part.next
  }
  return { tasks, whole: false }
}

/** `total`: how many there are, also beyond those that were asked for. */
export type TasksOfMany = { readonly tasks: readonly ListedTaskJson[]; readonly total: number }

/** Tasks that ended since a time (epoch ms by the daemon's clock), the one that ended last first; none asked for without one. */
export const useEndedSince = (since: number | undefined, limit: number): Known<TasksOfMany> =>
  useResource(
    ['tasks', 'ended_since', since, limit],
    async () => {
      const query = { ended_since: new Date(since ?? 0).toISOString(), limit: String(limit) }
      const { tasks, totals, next } = await call('GET /api/tasks', { query })
      // The totals are read after the tasks: of a whole list, its own length fits better.
      return { tasks, total: next === null || totals === null ? tasks.length : totals.total }
    },
    { enabled: since !== undefined },
  )

/** Tasks on one page. With MOST_PAGES of them, a name is found among 2,500 tasks in a moment. */
const FOUND_PER_PAGE = 500

/** All tasks by their names, newest first, as far as they are asked for. */
export const useNamedTasks = () =>
  useResource(['tasks', 'named'], async () => {
    const rows: TaskRowJson[] = []
    let after: string | undefined
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const query = { after, limit: String(FOUND_PER_PAGE), totals: '0' }
      const part = await call('GET /api/tasks/rows', { query })
      rows.push(...part.rows)
      if (part.next === null) return { rows, whole: true }
      after = part.next
    }
    return { rows, whole: false }
  })
