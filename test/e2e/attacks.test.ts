// What was tried against the TCP port. docs/security.md names these tests.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AuditEntryJson } from '../../src/protocol/json/daemon-json.ts'
import { startReceiver } from '../channels/http-receiver.ts'
import { freePort } from '../helpers/free-port.ts'
import { waitFor } from '../helpers/wait-for.ts'
import {
  askWeb,
  codeOf,
  login,
  makeToken,
  openWeb,
  rawTcp,
  type WebAnswer,
  type WebAsk,
} from '../helpers/web.ts'
import { startWorld, type World } from '../helpers/world.ts'

const page = { 'x-holdfast-version': '0' }
const refusedAs = (code: string, status: number) => ({ code, status })

async function outcome(port: number, path: string, ask: WebAsk = {}) {
  const answer = await askWeb(port, path, ask)
  return { status: answer.status, code: answer.status < 400 ? undefined : codeOf(answer) }
}

test('without a cookie or token nothing is answered: no route, no page, no metrics, no tools', async () => {
  const world = await startWorld()
  const { port } = await openWeb(world)
  for (const path of ['/', '/index.html', '/api/health', '/api/openapi.json', '/metrics', '/mcp', '/nothing'])
    expect(await outcome(port, path), path).toEqual(refusedAs('LOGIN_REQUIRED', 401))
  expect(await outcome(port, '/api/tasks', { method: 'POST', body: '{}' })).toEqual(
    refusedAs('LOGIN_REQUIRED', 401),
  )
  const shown = await askWeb(port, '/', { headers: { accept: 'text/html' } })
  expect(shown).toMatchObject({ status: 401, body: expect.stringContaining('holdfast web') })
  expect(shown.headers['content-security-policy']).toContain("script-src 'self';")
})

test('DNS rebinding: a name that is not ours is refused, with a right cookie and token too', async () => {
  const world = await startWorld({ config: 'server.hosts: [box.lan]\n' })
  const { port, cookie } = await login(world)
  const authorization = `Bearer ${await makeToken(world)}`
  for (const host of [`evil.example:${port}`, '127.0.0.1.evil.example', 'localhost.evil.example', '0.0.0.0'])
    for (const who of [{ cookie }, { authorization }] as Record<string, string>[])
      expect(await outcome(port, '/api/health', { headers: { ...who, host } }), host).toEqual(
        refusedAs('CROSS_SITE_REFUSED', 403),
      )
  for (const host of [`127.0.0.1:${port}`, 'localhost:9', `[::1]:${port}`, 'BOX.lan'])
    expect(await outcome(port, '/api/health', { headers: { cookie, host } }), host).toMatchObject({
      status: 200,
    })
})

test('cross-site requests: what another site could make a browser send is refused', async () => {
  const world = await startWorld()
  const { port, cookie, origin } = await login(world)
  const send = (headers: Record<string, string>) =>
    outcome(port, '/api/tmux/try', { method: 'POST', headers: { cookie, ...headers } })
  const refused = refusedAs('CROSS_SITE_REFUSED', 403)
  // A form, an image, a script of another page; another port of this machine; a sandboxed frame.
  expect(await send({ ...page, origin: 'https://evil.example' })).toEqual(refused)
  expect(await send({ ...page, origin: `http://127.0.0.1:${port + 1}` })).toEqual(refused)
  expect(await send({ ...page, origin: 'null' })).toEqual(refused)
  expect(await send({ ...page, origin, 'sec-fetch-site': 'cross-site' })).toEqual(refused)
  expect(await send({ ...page, origin, 'sec-fetch-site': 'same-site' })).toEqual(refused)
  // Without the origin or the header that only our own page can add.
  expect(await send(page)).toEqual(refused)
  expect(await send({ origin })).toEqual(refused)
  for (const site of ['cross-site', 'same-site'])
    expect(await outcome(port, '/api/health', { headers: { cookie, 'sec-fetch-site': site } }), site).toEqual(
      refused,
    )
  expect(await send({ ...page, origin, 'sec-fetch-site': 'same-origin' })).toMatchObject({ status: 200 })
})

test('a link on another site leads to the page, and nowhere else', async () => {
  const world = await startWorld()
  const { port, cookie } = await login(world)
  const link = { accept: 'text/html', 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }
  // A browser keeps the strict cookie back: the page asks once more, by itself.
  const first = await askWeb(port, '/tasks/x', { headers: link })
  expect(first).toMatchObject({ status: 401, body: expect.stringContaining('content="0; url=/tasks/x"') })
  const framed = { ...link, cookie, 'sec-fetch-dest': 'iframe' }
  expect(await askWeb(port, '/', { headers: framed })).toMatchObject({ status: 403 })
  expect(await outcome(port, '/api/health', { headers: { ...link, cookie } })).toEqual(
    refusedAs('CROSS_SITE_REFUSED', 403),
  )
})

test('open redirect: a refused link is asked again here, with its query, whatever it looks like', async () => {
  const world = await startWorld()
  const { port } = await openWeb(world)
  const headers = { accept: 'text/html', 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }
  const ways = [
    ['/all?status=RUNNING&tag=a%20b', '/all?status=RUNNING&amp;tag=a%20b'],
    ['//evil.example/x', '/evil.example/x'],
    ['///evil.example/x', '/evil.example/x'],
    ['/.//evil.example', '/evil.example'],
    ['/%5cevil.example', '/%5cevil.example'],
    ['/%09/evil.example', '/%09/evil.example'],
    ['/x"><script>', '/x%22%3E%3Cscript%3E'],
  ] as const
  for (const [path, again] of ways) {
    const { status, body } = await askWeb(port, path, { headers })
    const led = /<meta http-equiv="refresh" content="0; url=([^"]*)">/.exec(body)?.[1]
    expect({ path, status, led }).toEqual({ path, status: 401, led: again })
  }
})

test('cross-site WebSocket: a handshake of another origin, or of none, is refused', async () => {
  const world = await startWorld()
  const { port, cookie } = await login(world)
  const upgrade = (origin: string) =>
    rawTcp(
      port,
      `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nCookie: ${cookie}\r\n${origin}\r\n`,
      { firstOnly: true },
    )
  for (const origin of ['', 'Origin: https://evil.example\r\n', `Origin: http://127.0.0.1:${port + 1}\r\n`]) {
    const answer = await upgrade(origin)
    expect(answer).toMatch(/^HTTP\/1\.1 403 /)
    expect(answer).toContain('CROSS_SITE_REFUSED')
  }
})

test('traversal: no path leads out of the page', async () => {
  const world = await startWorld()
  const { port, cookie } = await login(world)
  writeFileSync(join(world.root, 'secret.txt'), 'secret')
  const paths = [
    '/../package.json',
    '/assets/../../package.json',
    '/%2e%2e/%2e%2e/package.json',
    '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    '/..%5c..%5cpackage.json',
    '//etc/passwd.txt',
    '/assets/%00.js',
    '/%ff.js',
  ]
  for (const path of paths) {
    const answer = await askWeb(port, path, { headers: { cookie } })
    expect(answer.status, path).toBeGreaterThanOrEqual(400)
    expect(answer.body).not.toMatch(/"name": "holdfast"|root:|secret/)
  }
})

test('oversized and malformed requests are refused, and the daemon goes on', async () => {
  const world = await startWorld()
  const { port, cookie, origin } = await login(world)
  const headers = { cookie, origin, ...page }
  const post = (body: string, more: Record<string, string> = {}) =>
    outcome(port, '/api/tasks', { method: 'POST', body, headers: { ...headers, ...more } })
  expect(await post('', { 'content-length': '1100000000', expect: '100-continue' })).toEqual(
    refusedAs('REQUEST_TOO_LARGE', 413),
  )
  for (const body of ['{"prompt":', '[]', '{"a":1,"a":2}', '\u0000', `{"verify":${'['.repeat(5000)}`])
    expect(await post(body), body.slice(0, 20)).toEqual(refusedAs('INVALID_REQUEST', 400))
  const long = await rawTcp(port, `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`)
  expect(long).toContain('REQUEST_TOO_LARGE')
  expect(await outcome(port, '/api/health', { headers })).toMatchObject({ status: 200 })
})

test('header smuggling: a request with two meanings is refused, and nothing behind it is answered', async () => {
  const world = await startWorld()
  const { port, cookie } = await login(world)
  // The right host and cookie: without the trick, the request and what is behind it are answered with 200.
  const own = `Host: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n`
  const smuggled = `GET /api/health HTTP/1.1\r\n${own}\r\n`
  const evil = `Host: evil.example\r\nCookie: ${cookie}\r\n`
  const tricks: Record<string, [status: number, bytes: string]> = {
    'a length and chunks': [
      400,
      `GET /api/health HTTP/1.1\r\n${own}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    'two lengths': [
      400,
      `GET /api/health HTTP/1.1\r\n${own}Content-Length: 0\r\nContent-Length: 5\r\n\r\n${smuggled}`,
    ],
    'an unknown encoding': [
      400,
      `GET /api/health HTTP/1.1\r\n${own}Transfer-Encoding: xchunked\r\n\r\n${smuggled}`,
    ],
    'a host with a space': [400, `GET /api/health HTTP/1.1\r\n${own.replace(':', ' :')}\r\n${smuggled}`],
    'no host': [400, `GET /api/health HTTP/1.1\r\nCookie: ${cookie}\r\n\r\n${smuggled}`],
    'two hosts': [403, `GET /api/health HTTP/1.1\r\n${own}Host: evil.example\r\nConnection: close\r\n\r\n`],
    'two hosts, ours last': [
      403,
      `GET /api/health HTTP/1.1\r\n${evil}Host: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`,
    ],
    'an absolute address': [
      403,
      `GET http://evil.example/api/health HTTP/1.1\r\n${own}Connection: close\r\n\r\n`,
    ],
    'an empty host': [
      400,
      `GET /api/health HTTP/1.1\r\nHost: \r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
    ],
  }
  const statuses = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => code)
  const last = smuggled.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
  expect(statuses(await rawTcp(port, smuggled + last))).toEqual(['200', '200'])
  for (const [trick, [status, bytes]] of Object.entries(tricks)) {
    const answer = await rawTcp(port, bytes)
    expect({ trick, statuses: statuses(answer) }).toEqual({ trick, statuses: [String(status)] })
    expect(answer).not.toContain('"max_concurrent"')
  }
})

test('slow requests: who does not send its request is cut off, and others are served meanwhile', {
  timeout: 60_000,
}, async () => {
  const world = await startWorld()
  const { port, cookie } = await login(world)
  const slow = Array.from({ length: 200 }, () => rawTcp(port, 'GET / HTTP/1.1\r\nHost: x\r\n'))
  expect(await outcome(port, '/api/health', { headers: { cookie } })).toMatchObject({ status: 200 })
  for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^(HTTP\/1\.1 4\d\d |$)/)
})

test('tokens: missing, wrong, expired and revoked ones are refused, and none is taken from the address', async () => {
  const world = await startWorld()
  const { port } = await openWeb(world)
  const secret = await makeToken(world, 'ci')
  const short = await makeToken(world, 'short', '--expires', '1s')
  const ask = (authorization: string, path = '/api/health') =>
    outcome(port, path, { headers: { authorization } })
  expect(await ask(`Bearer ${secret}`)).toMatchObject({ status: 200 })
  const required = refusedAs('LOGIN_REQUIRED', 401)
  expect(await ask(`Bearer ${secret}x`)).toEqual(required)
  expect(await ask('Bearer hft1.')).toEqual(required)
  for (const bad of ['', 'Bearer', `Basic ${secret}`, 'Bearer hfr1.a.b.c'])
    expect(await ask(bad), bad).toMatchObject({ status: 401 })
  for (const name of ['token', 'access_token', 'code'])
    expect(await outcome(port, `/api/health?${name}=${secret}`), name).toEqual(required)
  await expect.poll(() => ask(`Bearer ${short}`), { timeout: 5000 }).toEqual(required)
  await world.ok(['web', 'revoke', 'ci'])
  expect(await ask(`Bearer ${secret}`)).toEqual(required)
  expect(await refusals(world)).toContainEqual(expect.objectContaining({ kind: 'login_refused' }))
})

const refusals = async (world: World) =>
  (await world.json<{ entries: AuditEntryJson[] }>(['audit', '--kind', 'login_refused'])).entries

test('a link works once; looking ahead does not use it up; what is stored of it lets nobody in', async () => {
  const world = await startWorld()
  const { link, port, address } = await openWeb(world)
  const path = link.slice(address.length)
  expect(await askWeb(port, path, { method: 'HEAD' })).toMatchObject({ status: 204 })
  expect(await askWeb(port, path, { headers: { 'sec-purpose': 'prefetch' } })).toMatchObject({ status: 204 })
  const both = await Promise.all([askWeb(port, path), askWeb(port, path)])
  expect(both.map(({ status }) => status).sort()).toEqual([303, 401])
  const entered = both.find(({ status }) => status === 303)!
  expect(entered.headers.location).toBe('/')
  const [set = ''] = entered.headers['set-cookie'] ?? []
  expect(set).toMatch(
    /^holdfast_[0-9a-f]{12}=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
  )
  const [name, secret = ''] = set.split(/[=;]/)
  const file = join(world.home, 'web-keys.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const stored = readFileSync(file, 'utf8')
  expect(stored).not.toContain(secret)
  const { hash } = (JSON.parse(stored) as { keys: { hash: string }[] }).keys[0]!
  expect(await outcome(port, '/api/health', { headers: { cookie: `${name}=${hash}` } })).toEqual(
    refusedAs('LOGIN_REQUIRED', 401),
  )
})

test('two daemons in one browser: each has a cookie of its own, and refuses that of the other', async () => {
  const [one, other] = [await startWorld(), await startWorld()]
  const [first, second] = [await login(one), await login(other)]
  expect(first.port).not.toBe(second.port)
  const both = `${first.cookie}; ${second.cookie}`
  for (const { port } of [first, second])
    expect(await outcome(port, '/api/health', { headers: { cookie: both } })).toMatchObject({ status: 200 })
  const [name] = first.cookie.split('=')
  const [, theirs] = second.cookie.split('=')
  for (const cookie of [second.cookie, `${name}=${theirs}`])
    expect(await outcome(first.port, '/api/health', { headers: { cookie } })).toEqual(
      refusedAs('LOGIN_REQUIRED', 401),
    )
})

test('guessing is slowed down, and locks nobody out', async () => {
  const world = await startWorld()
  const { port, cookie } = await login(world)
  const guess = () => outcome(port, '/api/health', { headers: { authorization: 'Bearer hft1.guess' } })
  const guesses = await Promise.all(Array.from({ length: 60 }, guess))
  expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThan(20)
  const { headers } = await askWeb(port, '/open?code=guess')
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(await outcome(port, '/api/health', { headers: { cookie } })).toMatchObject({ status: 200 })
})

test('a caller that floods the daemon is told to wait', async () => {
  const world = await startWorld()
  const { port } = await openWeb(world)
  const authorization = `Bearer ${await makeToken(world)}`
  const ask = () => outcome(port, '/api/tasks/stats', { headers: { authorization } })
  const statuses: number[] = []
  for (let round = 0; round < 20 && !statuses.includes(429); round++)
    statuses.push(...(await Promise.all(Array.from({ length: 100 }, ask))).map(({ status }) => status))
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
})

/** A daemon whose one public route is open, and the ticket of a right answer to its question. */
async function startInbound() {
  const [ntfy, port] = [await startReceiver(), await freePort()]
  const world = await startWorld({
    config: `
server.port: ${port}
notify:
  group: 100ms
  publicUrl: http://127.0.0.1:${port}
  rules: [{events: [question], channels: [phone]}]
  channels:
    phone: {type: ntfy, server: "${ntfy.url}", topic: my-topic}
`,
  })
  await world.run('do: ask Which colour? | red | green\ndo: say painted', '--mode', 'interactive')
  await waitFor('the push', () => ntfy.got.length === 1)
  const { actions } = JSON.parse(ntfy.got[0]!.body) as { actions: { body: string }[] }
  const send = (body: string, headers: Record<string, string> = {}) =>
    askWeb(port, '/inbound/phone', { method: 'POST', body, headers })
  return { world, send, ticket: actions[1]!.body }
}

test('the public route: a body of 300 KB is refused, with a length and in chunks', async () => {
  const { send, ticket } = await startInbound()
  const large = 'x'.repeat(300 * 1024)
  // Node adds the length by itself.
  const ways: Record<string, string>[] = [{}, { 'transfer-encoding': 'chunked' }]
  for (const headers of ways)
    for (const body of [large, ticket + large]) {
      const answer = await send(body, headers)
      expect([answer.status, codeOf(answer)], JSON.stringify(headers)).toEqual([413, 'REQUEST_TOO_LARGE'])
    }
  const small = await send('x'.repeat(200 * 1024))
  expect([small.status, codeOf(small)]).toEqual([401, 'INBOUND_REFUSED'])
  expect(await send(ticket)).toMatchObject({ status: 200, body: expect.stringContaining('green') })
})

test('the public route: guessing is slowed down, and keeps no right answer out', async () => {
  const { world, send, ticket } = await startInbound()
  const guesses: WebAnswer[] = []
  for (let guess = 0; guess < 60; guess++)
    guesses.push(await send(`${ticket.slice(0, -4)}${String(guess).padStart(4, 'A')}`))
  expect(new Set(guesses.slice(0, 20).map(({ status }) => status))).toEqual(new Set([401]))
  const slowed = guesses.filter(({ status }) => status === 429)
  expect(slowed.length).toBeGreaterThan(20)
  for (const { headers } of slowed) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  const { entries } = await world.json<{ entries: AuditEntryJson[] }>(['audit', '--kind', 'inbound_refused'])
  expect(entries).toHaveLength(1)
  expect(await send(ticket)).toMatchObject({ status: 200, body: expect.stringContaining('green') })
})

test('what widens permissions is done on the machine alone, never over TCP', async () => {
  const world = await startWorld()
  const { port, cookie, origin } = await login(world)
  const headers = { cookie, origin, ...page }
  const send = (method: string, path: string, body?: object) =>
    outcome(port, path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const refused = refusedAs('ONLY_BY_COMMAND', 403)
  expect(await send('POST', '/api/workspaces', { path: world.project })).toEqual(refused)
  expect(await send('POST', '/api/tasks', { prompt: 'x', dir: world.project, allow_dir: true })).toEqual(
    refused,
  )
  expect(await send('POST', '/api/trust', { dir: world.project, files: [] })).toEqual(refused)
  expect(await send('POST', '/api/shutdown')).toEqual(refused)
  expect(await send('POST', '/api/web/links')).toEqual(refused)
  expect(await send('POST', '/api/web/tokens', { name: 'mine' })).toEqual(refused)
  expect(await send('POST', '/api/tasks', { prompt: 'x', dir: world.project })).toEqual(
    refusedAs('WORKSPACE_NOT_ALLOWED', 403),
  )
})

test('a page older than its daemon is told so with every answer', async () => {
  const world = await startWorld()
  const { port, cookie } = await login(world)
  const { version } = await world.health()
  const answer = await askWeb(port, '/api/health', { headers: { cookie, ...page } })
  expect(answer.headers['x-holdfast-version']).toBe(version)
  expect((await askWeb(port, '/api/health')).headers['x-holdfast-version']).toBe(version)
})
