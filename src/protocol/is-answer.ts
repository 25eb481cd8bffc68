import type { Route } from './api.ts'

/** Its 503 says what is wrong with the daemon, which is what was asked for. */
const READY: Route = 'GET /api/ready'

/** Whether a status comes with the answer of a route, and not with an error. */
export const isAnswer = (route: string, status: number): boolean =>
  status < 400 || (status === 503 && route === READY)
