import { call } from '../connection/call.ts'
import { useResource } from '../held/resource.ts'

export const useRuntimes = () =>
  useResource(['runtimes', 'list'], async () => (await call('GET /api/runtimes', { query: {} })).runtimes)

export const useRuntime = (id: string) =>
  useResource(['runtimes', 'one', id], () => call('GET /api/runtimes/:id', { id }))
