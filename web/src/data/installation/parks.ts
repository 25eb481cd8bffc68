import { call } from '../connection/call.ts'
import { useResource } from '../held/resource.ts'

/** The closed gates with the tasks behind them, and tasks that are parked for reasons of their own. */
export const useParks = () => useResource(['parks'], () => call('GET /api/parks'))
