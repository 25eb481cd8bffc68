// Web pages of other origins that the user named in `server.origins`. docs/security.md names these tests.
import { expect, test } from 'vitest'
import { freePort } from '../helpers/free-port.ts'
import { openTerminal } from '../helpers/live-terminal.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { askWeb, codeOf, login, makeToken, type WebAnswer, type WebAsk } from '../helpers/web.ts'
import { startWorld } from '../helpers/world.ts'

const MINE = 'http://localhost:5173'
const NOT_MINE = [
  'http://localhost:5174',
  'https://localhost:5173',
  'http://localhost',
  'http://LOCALHOST:5173',
  'http://localhost:5173.evil.example',
  'http://evil.example',
  'null',
]

async function startNamed(origins = `[${MINE}]`) {
  const world = await startWorld({ config: `server.origins: ${origins}\n` })
  const { port, cookie } = await login(world)
  const authorization = `Bearer ${await makeToken(world)}`
  const ask = (path: string, from: string, headers: Record<string, string> = {}, more: WebAsk = {}) =>
    askWeb(port, path, { ...more, headers: { origin: from, 'sec-fetch-site': 'cross-site', ...headers } })
  const preflight = (from: string, path = '/api/tasks', headers: Record<string, string> = {}) =>
    ask(path, from, { 'access-control-request-method': 'POST', ...headers }, { method: 'OPTIONS' })
  return { world, port, cookie, authorization, ask, preflight }
}

const allows = ({ headers }: WebAnswer) =>
  Object.entries(headers).filter(([name]) => name.startsWith('access-control-'))
const listed = (value: unknown) => String(value).split(', ').sort()
const outcome = (answer: WebAnswer) => ({
  status: answer.status,
  code: codeOf(answer),
  allows: allows(answer),
})
const REFUSED = { status: 403, code: 'CROSS_SITE_REFUSED', allows: [] }

test('a named origin is answered with a token, may read refusals too, and never by a cookie', async () => {
  const { ask, cookie, authorization } = await startNamed()
  const right = await ask('/api/health', MINE, { authorization })
  expect(right.status).toBe(200)
  expect(right.headers).toMatchObject({ 'access-control-allow-origin': MINE, vary: 'Origin' })
  expect(listed(right.headers['access-control-expose-headers'])).toEqual(
    ['retry-after', 'x-holdfast-from', 'x-holdfast-place', 'x-holdfast-version'].sort(),
  )
  expect(right.headers).not.toHaveProperty('access-control-allow-credentials')
  const none = { status: 401, code: 'LOGIN_REQUIRED' }
  const page = { 'x-holdfast-version': '0' }
  const post: WebAsk = { method: 'POST', body: '{}' }
  for (const headers of [{}, { cookie }, { cookie, ...page }, { authorization: 'Bearer hft1.wrong', cookie }])
    for (const more of [{}, post]) {
      const answer = await ask('/api/tmux/try', MINE, headers as Record<string, string>, more)
      expect(outcome(answer)).toMatchObject(none)
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': MINE })
    }
  const changed = await ask('/api/tmux/try', MINE, { authorization }, { method: 'POST' })
  expect(changed.status).toBe(200)
  const missing = await ask('/api/tasks/none', MINE, { authorization })
  expect([missing.status, missing.headers['access-control-allow-origin']]).toEqual([404, MINE])
})

test('every other origin is refused as before, with a right token too', async () => {
  const { ask, preflight, cookie, authorization } = await startNamed()
  for (const from of NOT_MINE) {
    for (const headers of [{ authorization }, { cookie }] as Record<string, string>[])
      expect(outcome(await ask('/api/health', from, headers)), from).toEqual(REFUSED)
    expect(outcome(await preflight(from)), from).toEqual(REFUSED)
  }
  const unnamed = await startNamed('[]')
  expect(outcome(await unnamed.ask('/api/health', MINE, { authorization: unnamed.authorization }))).toEqual(
    REFUSED,
  )
  expect(outcome(await unnamed.preflight(MINE))).toEqual(REFUSED)
})

test('a named origin is told before a request what it may send', async () => {
  const { preflight, ask } = await startNamed()
  const { status, headers, body } = await preflight(MINE)
  expect([status, body, headers.vary]).toEqual([204, '', 'Origin'])
  expect(headers['access-control-allow-origin']).toBe(MINE)
  expect(listed(headers['access-control-allow-methods'])).toEqual(['DELETE', 'GET', 'POST'])
  expect(listed(headers['access-control-allow-headers'])).toEqual(
    ['authorization', 'content-type', 'idempotency-key', 'last-event-id', 'x-holdfast-version'].sort(),
  )
  expect(headers).not.toHaveProperty('access-control-allow-credentials')
  // Without the header of a preflight it is a request like others.
  expect(outcome(await ask('/api/tasks', MINE, {}, { method: 'OPTIONS' }))).toMatchObject({ status: 401 })
})

test('a named origin gets the API by a name of the daemon, and nothing else', async () => {
  const { ask, preflight, port, authorization, cookie } = await startNamed()
  for (const path of ['/', '/index.html', '/open?code=x', '/metrics', '/mcp', '/api', '/inbound/x']) {
    const answer = await ask(path, MINE, { authorization, cookie })
    expect([path, answer.status < 400, allows(answer)]).toEqual([path, false, []])
    expect(allows(await preflight(MINE, path)), path).toEqual([])
  }
  const rebound = { authorization, host: `evil.example:${port}` }
  expect(await ask('/api/health', MINE, rebound)).toMatchObject({ status: 403 })
  expect(await preflight(MINE, '/api/tasks', { host: `evil.example:${port}` })).toMatchObject({ status: 403 })
})

test('a named origin opens no WebSocket, with a cookie or with a token', async () => {
  const { world, port, cookie, authorization } = await startNamed()
  const id = await world.run('do: say hello', '--mode', 'interactive')
  await waitFor('it to be idle', async () => (await world.status(id)).phase === 'idle')
  for (const who of [{ cookie }, { authorization }] as Record<string, string>[])
    await expect(openTerminal(world, id, { port, headers: { ...who, origin: MINE } })).rejects.toMatchObject({
      status: 403,
      code: 'CROSS_SITE_REFUSED',
    })
})

test('the page of the daemon goes on by its cookie, also where its own origin is named', async () => {
  const port = await freePort()
  const own = `http://127.0.0.1:${port}`
  const { cookie } = await startNamed(`[${MINE}, "${own}"]\nserver.port: ${port}`)
  const headers = { cookie, origin: own, 'x-holdfast-version': '0', 'sec-fetch-site': 'same-origin' }
  expect(await askWeb(port, '/api/tmux/try', { method: 'POST', headers })).toMatchObject({ status: 200 })
})
