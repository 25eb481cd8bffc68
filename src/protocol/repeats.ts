// Owns what happens when a request comes again because its answer was lost: the one table that server, clients and the API
// document go by.
import type { Route } from './api.ts'

type Asking = Extract<Route, `POST ${string}`>

/**
 * `once`: it makes or orders something. It takes a key, and with the same key it is done once.
 * `same`: asked again, it changes nothing more: it reads, or what it asks for is so already.
 * `anew`: it does its work each time, which is what whoever asks again wants.
 */
export type Repeat = 'once' | 'same' | 'anew'

const REPEATS = {
  'POST /api/tasks': 'once',
  'POST /api/tasks/:id/inputs': 'once',
  'POST /api/tasks/:id/answer': 'once',
  'POST /api/tasks/:id/keys': 'once',
  'POST /api/tasks/:id/kill': 'once',
  'POST /api/tasks/:id/finish': 'once',
  'POST /api/tasks/:id/resume': 'once',
  'POST /api/tasks/:id/retry': 'once',
  'POST /api/tasks/:id/takeover': 'once',
  'POST /api/tasks/:id/handback': 'once',
  'POST /api/tasks/:id/unpark': 'once',
  'POST /api/tasks/:id/archive': 'once',
  'POST /api/runtimes': 'once',
  'POST /api/threads': 'once',
  'POST /api/threads/:id/messages': 'once',
  'POST /api/workspaces': 'once',
  'POST /api/web/tokens': 'once',

  'POST /api/tasks/removable': 'same',
  'POST /api/tasks/remove': 'same',
  'POST /api/tasks/kill': 'same',
  'POST /api/tasks/archive': 'same',
  'POST /api/tasks/:id/result': 'same',
  'POST /api/tasks/:id/heartbeat': 'same',
  'POST /api/triggers/:id/force': 'same',
  'POST /api/triggers/:id/ack': 'same',
  'POST /api/self/bridge': 'same',
  'POST /api/parks/unpark': 'same',
  'POST /api/monitor': 'same',
  'POST /api/threads/:id/read': 'same',
  'POST /api/threads/:id/continue': 'same',
  'POST /api/runtimes/:id/stop': 'same',
  'POST /api/trust': 'same',
  'POST /api/journal/drop': 'same',
  'POST /api/web': 'same',
  'POST /api/shutdown': 'same',

  'POST /api/tasks/:id/verify': 'anew',
  'POST /api/tasks/:id/status-check': 'anew',
  'POST /api/verify-step': 'anew',
  'POST /api/tmux/try': 'anew',
  'POST /api/runtimes/:id/restart': 'anew',
  'POST /api/notify/test': 'anew',
  'POST /api/notify/retry': 'anew',
  'POST /api/journal/retry': 'anew',
  // A link lets one browser in, for two minutes: one that nobody was told is of no use to anybody.
  'POST /api/web/links': 'anew',
} as const satisfies Record<Asking, Repeat>

export type KeyedRoute = { [R in Asking]: (typeof REPEATS)[R] extends 'once' ? R : never }[Asking]

/** Whether a request of this route is known again by its key. */
export const isKeyed = (route: Route): route is KeyedRoute =>
  (REPEATS as Partial<Record<Route, Repeat>>)[route] === 'once'
