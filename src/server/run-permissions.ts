// Owns what a run may ask of the daemon, in one table. A run may read everything; every other new route needs a row here.
import type { Route } from '../protocol/api.ts'
import { routeMatcher } from './match-route.ts'
import type { Reach } from './reach.ts'

/**
 * `own_task`, and a reach: for these sessions only; the route checks this. `refused`: only a person may; says what a run may
 * not do.
 */
export type RunPermission = 'may' | 'own_task' | Reach | { readonly refused: string }

type Asks = Exclude<Route, `GET ${string}`>

export const runPermissions: Readonly<Record<Asks, RunPermission>> = {
  // As far as the settings of its project allow recursion.
  'POST /api/tasks': 'may',
  'POST /api/tasks/:id/kill': 'own_and_started',
  'POST /api/tasks/:id/finish': 'own_and_started',
  'POST /api/tasks/kill': 'own_and_started',
  'POST /api/tasks/:id/heartbeat': 'own_task',
  'POST /api/tasks/:id/result': 'own_task',
  'POST /api/self/bridge': 'may',
  // Its own alone: that is checked there.
  'POST /api/triggers/:id/ack': 'may',
  'POST /api/tasks/:id/status-check': 'may',
  'POST /api/tasks/:id/verify': 'may',
  'POST /api/verify-step': 'may',
  'POST /api/monitor': 'may',
  'POST /api/threads': 'may',
  'POST /api/threads/:id/messages': 'may',
  'POST /api/threads/:id/read': 'may',
  // Only the orchestrator's: the bridge knows its role.
  'POST /api/threads/:id/continue': 'may',
  // Counts tasks, and removes none.
  'POST /api/tasks/removable': 'may',
  'POST /api/tasks/:id/answer': 'started',
  'POST /api/tasks/:id/inputs': 'started_or_coordinated',
  'POST /api/tasks/:id/keys': { refused: 'press keys in terminals' },
  'POST /api/triggers/:id/force': { refused: 'force prompts' },
  'POST /api/tasks/:id/resume': { refused: 'resume tasks' },
  'POST /api/tasks/:id/retry': { refused: 'retry tasks' },
  'POST /api/tasks/:id/takeover': { refused: 'take tasks over' },
  'POST /api/tasks/:id/handback': { refused: 'hand tasks back' },
  'POST /api/tasks/:id/unpark': { refused: 'unpark tasks' },
  'POST /api/parks/unpark': { refused: 'unpark tasks' },
  'POST /api/tasks/:id/archive': { refused: 'archive tasks' },
  'POST /api/tasks/archive': { refused: 'archive tasks' },
  'DELETE /api/tasks/:id': { refused: 'remove tasks' },
  'POST /api/tasks/remove': { refused: 'remove tasks' },
  'POST /api/runtimes': { refused: 'start runtimes' },
  'POST /api/runtimes/:id/stop': { refused: 'stop runtimes' },
  'POST /api/runtimes/:id/restart': { refused: 'restart runtimes' },
  'DELETE /api/runtimes/:id': { refused: 'remove runtimes' },
  'POST /api/workspaces': { refused: 'allow directories' },
  'DELETE /api/workspaces/:id': { refused: 'remove workspaces' },
  'POST /api/trust': { refused: 'approve files' },
  'DELETE /api/trust': { refused: 'revoke approvals' },
  'POST /api/notify/test': { refused: 'send test messages' },
  'POST /api/notify/retry': { refused: 'have channels tried again' },
  'POST /api/journal/retry': { refused: 'have events tried again' },
  'POST /api/journal/drop': { refused: 'drop events' },
  'POST /api/web': { refused: 'open the TCP port' },
  'DELETE /api/web': { refused: 'close the TCP port' },
  'POST /api/web/links': { refused: 'make links to the page' },
  'POST /api/web/tokens': { refused: 'make tokens' },
  'DELETE /api/web/tokens/:id': { refused: 'revoke tokens' },
  'POST /api/tmux/try': { refused: 'start tmux' },
  'POST /api/shutdown': { refused: 'stop the daemon' },
}

/** Undefined for a route that is not in the table. */
export function permissionFor(method: string, path: string): RunPermission | undefined {
  const route = matchRoute(method, path)
  return route && runPermissions[route]
}

const matchRoute = routeMatcher(Object.keys(runPermissions) as Asks[])
