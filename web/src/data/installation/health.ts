import { call, readReady } from '../connection/call.ts'
import { useResource } from '../held/resource.ts'

/** The daemon, its node, tmux, store, disk, and how many tasks are in which status. */
export const useHealth = () => useResource(['health'], () => call('GET /api/health'), { every: 30_000 })

/** Whether the store, tmux and the disk work now. */
export const useReady = () => useResource(['ready'], readReady, { every: 10_000 })
