// Owns what a new task chooses from: directories in which agents may work, and the roles of one of them.
import { call } from '../connection/call.ts'
import { useResource } from '../held/resource.ts'

/** They change in terminals and in editors, and no event tells. */
const every = 5000

export const useWorkspaces = () =>
  useResource(['workspaces'], async () => (await call('GET /api/workspaces')).workspaces, { every })

export const useRoles = (dir: string) =>
  useResource(['roles', dir], async () => (await call('GET /api/roles', { query: { dir } })).roles, {
    every,
    enabled: dir !== '',
  })
