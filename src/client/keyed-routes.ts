import type { Route } from '../protocol/api.ts'

/** Routes that make or order something: with the same key it is done once, however often the request comes. */
const KEYED: readonly Route[] = [
  'POST /api/tasks',
  'POST /api/tasks/:id/inputs',
  'POST /api/runtimes',
  'POST /api/threads',
  'POST /api/threads/:id/messages',
  'POST /api/tasks/:id/kill',
  'POST /api/tasks/:id/finish',
  'POST /api/tasks/:id/resume',
  'POST /api/tasks/:id/retry',
  'POST /api/tasks/:id/takeover',
  'POST /api/tasks/:id/handback',
  'POST /api/tasks/:id/unpark',
  'POST /api/tasks/:id/archive',
]

export const isKeyed = (route: Route) => KEYED.includes(route)
