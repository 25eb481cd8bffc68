// Owns the lists of tasks: those that have not ended, and those that ended last.
import type { TaskJson } from '../../../../src/protocol/json/task-json.ts'
import { call } from '../connection/call.ts'
import { useResource } from '../held/resource.ts'

/** More than this on one screen helps nobody: the table of all tasks has them. */
const MOST_PAGES = 5

/** All tasks that have not ended, newest first. */
export const useActiveTasks = () => useResource(['tasks', 'active'], activeTasks)

async function activeTasks(): Promise<{ tasks: TaskJson[]; whole: boolean }> {
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

/** The tasks that ended last, newest first. */
export const useEndedTasks = (limit: number) =>
  useResource(['tasks', 'ended', limit], async () => {
    const query = { status: 'completed,failed,cancelled', limit: String(limit), totals: '0' }
    return (await call('GET /api/tasks', { query })).tasks
  })
