// Owns the short lists of tasks: those that have not ended, and those that have. Both are cut where they are too long, and
// say so: `whole` is false then.
import type { TaskJson } from '../../../../src/protocol/json/task-json.ts'
import { call } from '../connection/call.ts'
import { type Told, useResource } from '../held/resource.ts'

/** More than this on one screen helps nobody: the table of all tasks has them. */
const MOST_PAGES = 5

/** All tasks that have not ended, newest first. */
export const useActiveTasks = () => useResource(['tasks', 'active'], activeTasks)

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
export const useEndedSoFar = (limit: number) =>
  useResource(['tasks', 'ended', limit], async (): Promise<TasksSoFar> => {
    const query = { status: 'completed,failed,cancelled', limit: String(limit), totals: '0' }
    const { tasks, next } = await call('GET /api/tasks', { query })
    return { tasks, whole: next === null }
  })

export function useEndedTasks(limit: number): Told<readonly TaskJson[]> {
  const told = useEndedSoFar(limit)
  return { ...told, value: told.value?.tasks }
}
