import { join } from 'node:path'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { errorCatalogue } from '../../src/domain/errors/catalogue.ts'
import { asHoldfastError } from '../../src/domain/errors.ts'
import { asRunId } from '../../src/domain/names/ids.ts'
import type { Caller } from '../../src/domain/task/caller.ts'
import type { Run } from '../../src/domain/task/run.ts'
import { HEADER_RUN } from '../../src/protocol/headers.ts'
import { callerOf, resolveCaller } from '../../src/server/caller.ts'
import { auditRefusals } from '../../src/server/refusals.ts'
import { SignedTokens } from '../../src/system/tokens/signed-tokens.ts'
import { RUN_ID, TASK_ID, taskId } from '../builders/ids.ts'
import { aRun } from '../builders/run.ts'
import { noTcp } from '../helpers/no-tcp.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { TestClock } from '../helpers/test-clock.ts'

const LIFETIME = 15 * 60_000

function server() {
  const clock = new TestClock()
  const keyFile = join(tempDir(), 'keys')
  const tokens = new SignedTokens({ keyFile, clock, lifetimeMs: LIFETIME, home: 'a' })
  const open = new Map<string, Run>([[RUN_ID, aRun()]])
  const renewed: string[] = []
  const audit: string[] = []
  const context = {
    ...noTcp(),
    desk: {
      runs: {
        open: async (id: string) => open.get(id),
        bridgeUp: async () => {},
        renewToken: async (id: string) => void renewed.push(id),
      },
      audit: {
        add: async (kind: string, caller: Caller, detail: string) =>
          void audit.push(`${kind} ${caller.name}: ${detail}`),
        page: async () => ({ items: [], next: null }),
      },
    },
    clock,
    tokens,
    log: { info() {}, warn() {}, error() {} },
  }
  const app = new Hono()
  const refused = auditRefusals(context)
  app.use(resolveCaller(context))
  app.all('*', (c) => c.json(callerOf(c)))
  app.onError(async (error, c) => {
    const known = asHoldfastError(error)
    await refused(c, known)
    return c.json({ code: known.code }, errorCatalogue[known.code].http as 401)
  })
  const ask = async (headers: Record<string, string>) => {
    const answer = await app.request('/api/tasks', { headers })
    return { status: answer.status, body: await answer.json() }
  }
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
  const withToken = async (over: Record<string, string> = {}) =>
    ask({ ...bearer((await tokens.issue(RUN_ID, TASK_ID)).text), ...over })
  return { clock, tokens, open, renewed, audit, ask, bearer, withToken }
}

const refusedWith = (code: string) => ({ status: 401, body: { code } })

test('a token proves the run, with or without its name beside it', async () => {
  const { withToken } = server()
  const caller = { status: 200, body: { kind: 'run', run: RUN_ID, name: `run ${RUN_ID}` } }
  expect(await withToken()).toEqual(caller)
  expect(await withToken({ [HEADER_RUN]: RUN_ID })).toEqual(caller)
})

test('a run that names another run than its token is refused', async () => {
  const { withToken } = server()
  expect(await withToken({ [HEADER_RUN]: 'run-2' })).toEqual(refusedWith('TOKEN_INVALID'))
})

test.each(['Bearer', 'Bearer a b', 'Basic abc', 'hfr1.a.b.c', 'Bearer hfr1.a.b.c'])(
  'the authorization %o is refused',
  async (authorization) => {
    expect(await server().ask({ authorization })).toEqual(refusedWith('TOKEN_INVALID'))
  },
)

test('a token of a run that is over, that is not known, or that belongs to another task is void', async () => {
  const { open, tokens, ask, bearer, withToken } = server()
  const unknown = await tokens.issue(asRunId('run-9'), TASK_ID)
  const other = await tokens.issue(RUN_ID, taskId('other'))
  expect(await ask(bearer(unknown.text))).toEqual(refusedWith('TOKEN_VOID'))
  expect(await ask(bearer(other.text))).toEqual(refusedWith('TOKEN_VOID'))
  open.clear()
  expect(await withToken()).toEqual(refusedWith('TOKEN_VOID'))
})

test('an expired token is refused, and its run gets a new one', async () => {
  const { clock, tokens, ask, bearer, renewed } = server()
  const { text } = await tokens.issue(RUN_ID, TASK_ID)
  await clock.pass(LIFETIME)
  expect(await ask(bearer(text))).toEqual(refusedWith('TOKEN_EXPIRED'))
  expect(renewed).toEqual([RUN_ID])
})

test('refused tokens are audited without the token, and a flood of them once a minute', async () => {
  const { clock, audit, ask } = server()
  const forged = { authorization: 'Bearer hfr1.0011.forged.signature', [HEADER_RUN]: RUN_ID }
  for (let at = 0; at < 50; at++) await ask(forged)
  await ask({ ...forged, [HEADER_RUN]: 'run-2' })
  await clock.pass(60_000)
  await ask(forged)
  expect(audit).toEqual([
    `token_refused run ${RUN_ID}, unproved: GET /api/tasks: TOKEN_INVALID: The token was not signed by this home.`,
    'token_refused run run-2, unproved: GET /api/tasks: TOKEN_INVALID: The token was not signed by this home.',
    `token_refused run ${RUN_ID}, unproved: GET /api/tasks: TOKEN_INVALID: The token was not signed by this home. (and 49 more times before)`,
  ])
})

test('ever new names do not grow the memory of refusals, nor the audit', async () => {
  const { audit, ask } = server()
  for (let at = 0; at < 300; at++) await ask({ authorization: 'Bearer x', [HEADER_RUN]: `run-${at}` })
  expect(audit.length).toBeLessThanOrEqual(101)
})
