import { call } from '../connection/call.ts'
import { useResource } from '../held/resource.ts'

/** The agents on the daemon's machine. Asking takes a while: each is asked for its version. */
export const useAgents = () =>
  useResource(['agents'], async () => (await call('GET /api/agents')).agents, { every: 60_000, costly: true })
