import { call } from './call.ts'
import { useResource } from './resource.ts'

export const useRuntimes = () =>
  useResource(['runtimes', 'list'], async () => (await call('GET /api/runtimes')).runtimes)

export const useRuntime = (id: string) =>
  useResource(['runtimes', 'one', id], () => call('GET /api/runtimes/:id', { id }))

/** The latest prompts that were sent to anybody, newest first. */
export const useTriggers = (limit: number) =>
  useResource(
    ['triggers', limit],
    async () => (await call('GET /api/triggers', { query: { limit: String(limit) } })).triggers,
  )
