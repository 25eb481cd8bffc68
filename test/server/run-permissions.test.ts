import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { HoldfastError } from '../../src/domain/errors.ts'
import { HEADER_ACTOR, HEADER_RUN } from '../../src/protocol/api.ts'
import { callerOf, resolveCaller } from '../../src/server/caller.ts'
import { type RunPermission, runPermissions } from '../../src/server/run-permissions.ts'
import { noTcp } from '../helpers/no-tcp.ts'
import { TestClock } from '../helpers/test-clock.ts'

const rows = Object.entries(runPermissions) as [string, RunPermission][]

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
