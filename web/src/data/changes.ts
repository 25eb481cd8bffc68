import { call } from './call.ts'
import { useResource } from './resource.ts'

/** Nothing announces what an agent writes into files. */
const LOOK_AGAIN_MS = 5000

/** What a task changed in its repository. `going`: it may still change more. */
export const useChanges = (id: string, going: boolean) =>
  useResource(['task', id, 'changes'], () => call('GET /api/tasks/:id/changes', { id }), {
    ...(going ? { every: LOOK_AGAIN_MS } : {}),
  })

export const useDiff = (id: string, path: string, going: boolean) =>
  useResource(['task', id, 'diff', path], () => call('GET /api/tasks/:id/diff', { id, query: { path } }), {
    ...(going ? { every: LOOK_AGAIN_MS } : {}),
  })
