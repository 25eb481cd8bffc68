// Owns the short lists of tasks: those that have not ended, and those that have. They are cut where they are too long, and
// say so.
import type { TaskJson } from '../../../../src/protocol/json/task-json.ts'
import { call } from '../connection/call.ts'
import { type Told, useResource } from '../held/resource.ts'

/** More than this on one screen helps nobody: the table of all tasks has them. */
const MOST_PAGES = 5

/** All tasks that have not ended, newest first. */
export const useActiveTasks = () => useResource(['tasks', 'active'], activeTasks)

/** `whole` is false when more follow. */
export type TasksSoFar = { readonly tasks: readonly TaskJson[]; readonly whole: boolean }

async function activeTasks(): Promise<TasksSoFar> {
  const tasks: TaskJson[] = []
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const part = await call('GET /api/tasks/active', { query: { after, totals: '0' } })
    tasks.push(...part.tasks)
    if (part.next === null) return { tasks, whole: true }
    after = part.next
  }
  return { tasks, whole: false }
}

/** Tasks that have ended, those that were begun last first: not the order in which they ended. */
export const useEndedTasks = (limit: number): Told<readonly TaskJson[]> =>
  useResource(['tasks', 'ended', limit], async () => {
    const query = { status: 'completed,failed,cancelled', limit: String(limit), totals: '0' }
    return (await call('GET /api/tasks', { query })).tasks
  })

/** `total`: how many there are, also beyond those that were asked for. */
export type TasksOfMany = { readonly tasks: readonly TaskJson[]; readonly total: number }

/** Tasks that ended since a time (epoch ms by the daemon's clock), the one that ended last first; none asked for without one. */
export const useEndedSince = (since: number | undefined, limit: number): Told<TasksOfMany> =>
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
