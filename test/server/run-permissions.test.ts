import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { HoldfastError } from '../../src/domain/errors.ts'
import { HEADER_ACTOR, HEADER_RUN } from '../../src/protocol/headers.ts'
import { callerOf, resolveCaller } from '../../src/server/caller.ts'
import { permissionFor, type RunPermission } from '../../src/server/run-permissions.ts'
import { noTcp } from '../helpers/no-tcp.ts'
import { TestClock } from '../helpers/test-clock.ts'

const refused = (what: string) => ({ refused: what })

/** Written by hand: whoever changes what a run may has to change it here, too. */
const EXPECTED: Record<string, RunPermission> = {
  'POST /api/tasks': 'may',
  'POST /api/tasks/:id/kill': 'own_and_started',
  'POST /api/tasks/:id/finish': 'own_and_started',
  'POST /api/tasks/kill': 'own_and_started',
  'POST /api/tasks/:id/heartbeat': 'own_task',
  'POST /api/tasks/:id/result': 'own_task',
  'POST /api/self/bridge': 'may',
  'POST /api/triggers/:id/ack': 'may',
  'POST /api/tasks/:id/status-check': 'may',
  'POST /api/tasks/:id/verify': 'may',
  'POST /api/verify-step': 'may',
  'POST /api/monitor': 'may',
  'POST /api/threads': 'may',
  'POST /api/threads/:id/messages': 'may',
  'POST /api/threads/:id/read': 'may',
  'POST /api/threads/:id/continue': 'may',
  'POST /api/tasks/removable': 'may',
  'POST /api/tasks/:id/answer': 'started',
  'POST /api/tasks/:id/inputs': 'started_or_coordinated',
  'POST /api/tasks/:id/keys': refused('press keys in terminals'),
  'POST /api/triggers/:id/force': refused('force prompts'),
  'POST /api/tasks/:id/resume': refused('resume tasks'),
  'POST /api/tasks/:id/retry': refused('retry tasks'),
  'POST /api/tasks/:id/takeover': refused('take tasks over'),
  'POST /api/tasks/:id/handback': refused('hand tasks back'),
  'POST /api/tasks/:id/unpark': refused('unpark tasks'),
  'POST /api/parks/unpark': refused('unpark tasks'),
  'POST /api/tasks/:id/archive': refused('archive tasks'),
  'POST /api/tasks/archive': refused('archive tasks'),
  'DELETE /api/tasks/:id': refused('remove tasks'),
  'POST /api/tasks/remove': refused('remove tasks'),
  'POST /api/runtimes': refused('start runtimes'),
  'POST /api/runtimes/:id/stop': refused('stop runtimes'),
  'POST /api/runtimes/:id/restart': refused('restart runtimes'),
  'DELETE /api/runtimes/:id': refused('remove runtimes'),
  'POST /api/workspaces': refused('allow directories'),
  'DELETE /api/workspaces/:id': refused('remove workspaces'),
  'POST /api/trust': refused('approve files'),
  'DELETE /api/trust': refused('revoke approvals'),
  'POST /api/notify/test': refused('send test messages'),
  'POST /api/notify/retry': refused('have channels tried again'),
  'POST /api/journal/retry': refused('have events tried again'),
  'POST /api/journal/drop': refused('drop events'),
  'POST /api/web': refused('open the TCP port'),
  'DELETE /api/web': refused('close the TCP port'),
  'POST /api/web/links': refused('make links to the page'),
  'POST /api/web/tokens': refused('make tokens'),
  'DELETE /api/web/tokens/:id': refused('revoke tokens'),
  'POST /api/tmux/try': refused('start tmux'),
  'POST /api/shutdown': refused('stop the daemon'),
}
const rows = Object.entries(EXPECTED)

const app = new Hono()
app.use(
  resolveCaller({
    ...noTcp(),
    desk: { runs: { open: async () => undefined, bridgeUp: async () => {}, renewToken: async () => {} } },
    clock: new TestClock(),
    tokens: {
      read: () => {
        throw new Error('no request here has a token')
      },
    },
  }),
)
app.all('*', (c) => c.json(callerOf(c)))
app.onError((error, c) => c.json({ refused: error instanceof HoldfastError && error.message }, 403))

async function ask(route: string, headers: Record<string, string>) {
  const [method, path] = route.replace(':id', '20260101-120000-any').split(' ') as [string, string]
  const response = await app.request(path, { method, headers })
  return { status: response.status, body: await response.json() }
}

test.each(rows)('%s: what a run may', async (route, permission) => {
  const [method, path] = route.replace(':id', '20260101-120000-any').split(' ') as [string, string]
  expect(permissionFor(method, path)).toEqual(permission)
  const { status, body } = await ask(route, { [HEADER_RUN]: 'run-1' })
  if (typeof permission === 'object')
    expect({ status, body }).toEqual({
      status: 403,
      body: { refused: `A run may not ${permission.refused}.` },
    })
  else
    expect({ status, body }).toEqual({ status: 200, body: { kind: 'run', run: 'run-1', name: 'run run-1' } })
})

test.each(rows)('%s: a person is let through', async (route) => {
  const { status, body } = await ask(route, { [HEADER_ACTOR]: 'ada@pts/1' })
  expect({ status, body }).toEqual({ status: 200, body: { kind: 'person', name: 'ada@pts/1' } })
})

test('every route that is not for reading has a row', () => {
  const routes = readFileSync('src/protocol/api.ts', 'utf8').matchAll(
    /^ {2}'((?:POST|DELETE|PUT) \/api[^']*)'/gm,
  )
  expect([...routes].map(([, route]) => route).sort()).toEqual(rows.map(([route]) => route).sort())
})
