// Owns what the page knows of a task's changes in its repository.
import { useState } from 'react'
import { call } from '../connection/call.ts'
import { useResource } from '../held/resource.ts'

/** Nothing announces what an agent writes into files. git compares the whole work tree, which can take a second. */
const LOOK_AGAIN_MS = 5000
const pace = (atWork: boolean) => ({ costly: true, ...(atWork ? { every: LOOK_AGAIN_MS } : {}) })

/** What a task changed in its repository. Unless it is at work, it is asked again only after news of the task. */
export const useChanges = (id: string, atWork: boolean) =>
  useResource(['task', id, 'changes'], () => call('GET /api/tasks/:id/changes', { id }), pace(atWork))

/** How many files it changed: asked once, and then as new as the last look at the files themselves. */
export function useChangedCount(id: string): number | undefined {
  const [isKnown, setKnown] = useState(false)
  const { value } = useResource(['task', id, 'changes'], () => call('GET /api/tasks/:id/changes', { id }), {
    costly: true,
    enabled: !isKnown,
  })
  if (value !== undefined && !isKnown) setKnown(true)
  return value?.files.length
}

export const useDiff = (id: string, path: string, atWork: boolean) =>
  useResource(
    ['task', id, 'diff', path],
    () => call('GET /api/tasks/:id/diff', { id, query: { path } }),
    pace(atWork),
  )
