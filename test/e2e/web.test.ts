// `holdfast web`: the port, the link and the tokens, over restarts and with a port that is taken.
import { statSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { AuditEntryJson } from '../../src/protocol/json/daemon-json.ts'
import type { WebJson, WebTokenJson } from '../../src/protocol/json/web-json.ts'
import { modulesOf, readQrCode } from '../helpers/read-qr-code.ts'
import { askWeb, login, makeToken, openWeb } from '../helpers/web.ts'
import { startWorld, type World } from '../helpers/world.ts'

/** A port that somebody else has, on loopback, until the test ends. */
async function takenPort(): Promise<number> {
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return (server.address() as { port: number }).port
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}

const health = (port: number, cookie: string) =>
  askWeb(port, '/api/health', { headers: { cookie } }).then(({ status }) => status)
const state = (world: World) => world.daemon.call('GET /api/web')

test('the port opens when asked, stays over a killed daemon with those who are logged in, and closes', async () => {
  const world = await startWorld()
  await world.ok(['up'])
  expect(await state(world)).toMatchObject({ open: false, address: null, trouble: null })
  const { port, cookie } = await login(world)
  expect(await health(port, cookie)).toBe(200)
  expect(statSync(join(world.home, 'web-door.json')).mode & 0o777).toBe(0o600)
  await world.killDaemon()
  await world.ok(['up'])
  expect(await state(world)).toMatchObject({ open: true, host: '127.0.0.1', port, remote: false })
  expect(await health(port, cookie)).toBe(200)
  const said = await world.json<{ closed: boolean; web: WebJson }>(['web', '--stop'])
  expect(said).toMatchObject({ closed: true, web: { open: false } })
  await expect(health(port, cookie)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(await world.json(['web', '--stop'])).toMatchObject({ closed: false })
  await world.ok(['down'])
  await world.ok(['up'])
  expect(await state(world)).toMatchObject({ open: false })
  const kinds = (await world.json<{ entries: AuditEntryJson[] }>(['audit'])).entries.map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind.startsWith('web_')).reverse()).toEqual([
    'web_opened',
    'web_login',
    'web_closed',
  ])
})

test('a port that is taken is said to be, and what was open stays open', async () => {
  const world = await startWorld()
  const taken = await takenPort()
  const refused = await world.cli(['web', '--no-open', '--port', String(taken), '--json'])
  expect(refused.code).toBe(1)
  expect(JSON.parse(refused.stdout).error).toMatchObject({
    code: 'PORT_TAKEN',
    message: `Another program listens on 127.0.0.1:${taken}.`,
  })
  expect(await state(world)).toMatchObject({ open: false })
  const { port } = await openWeb(world)
  expect((await world.cli(['web', '--no-open', '--port', String(taken)])).code).toBe(1)
  expect(await state(world)).toMatchObject({ open: true, port })
  const wanted = await freePort()
  expect(await openWeb(world, '--port', String(wanted))).toMatchObject({ port: wanted })
  await expect(askWeb(port, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  for (const bad of ['0', '65536', 'x'])
    expect((await world.cli(['web', '--port', bad])).stderr).toContain('from 1 to 65535')
})

test('a configured port is opened by every daemon; one that is taken keeps no daemon from starting', async () => {
  const port = await freePort()
  const world = await startWorld({ config: `server.port: ${port}\n` })
  await world.ok(['up'])
  expect(await state(world)).toMatchObject({ open: true, port })
  const taken = await takenPort()
  const other = await startWorld({ config: `server.port: ${taken}\n` })
  await other.ok(['up'])
  expect(await state(other)).toMatchObject({
    open: false,
    trouble: `Another program listens on 127.0.0.1:${taken}.`,
  })
})

test('an address that others reach needs a flag; with it there is a warning with a tunnel', async () => {
  const world = await startWorld()
  const refused = await world.cli(['web', '--no-open', '--host', '0.0.0.0'])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('NOT_LOOPBACK') })
  expect(refused.stderr).toContain('ssh -L')
  expect(await state(world)).toMatchObject({ open: false })
  const said = await world.cli(['web', '--no-open', '--host', '0.0.0.0', '--allow-remote'])
  expect(said.code).toBe(0)
  expect(said.stderr).toMatch(
    /^Warning: .* nothing that is sent there is encrypted\. .*: ssh -L (\d+):127\.0\.0\.1:\1 /,
  )
  expect(await state(world)).toMatchObject({ open: true, host: '0.0.0.0', remote: true })
  const configured = await startWorld({ config: 'server.port: 1\nserver.host: 0.0.0.0\n' })
  await configured.ok(['up'])
  expect(await state(configured)).toMatchObject({ open: false, trouble: expect.stringContaining('0.0.0.0') })
})

const far = Object.entries(networkInterfaces())
  .flatMap(([name, all]) => (/^(docker|br-|veth)/.test(name) ? [] : (all ?? [])))
  .find(({ internal, family, address }) => !internal && family === 'IPv4' && !address.startsWith('169.254.'))
if (far === undefined) console.warn('web: this machine has no network, so its QR code is not tested')

test.skipIf(far === undefined)(
  'the QR code leads a phone to the page, by an address that it can reach',
  async () => {
    const world = await startWorld()
    const said = await world.ok(['web', '--no-open', '--host', far!.address, '--allow-remote'])
    const lines = said.split('\n')
    const code = lines.filter((line) => /^[█▀▄ ]+$/.test(line) && line.trim() !== '')
    const link = readQrCode(modulesOf(code))
    expect(lines).toContain(`  ${link}`)
    expect(new URL(link).hostname).toBe(far!.address)
    expect(said).not.toContain('ssh -L')
    const answer = await fetch(link, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
      303,
      expect.stringContaining('holdfast'),
    ])
  },
)

test.skipIf(far === undefined)('the browser here and the phone each have a link that works', async () => {
  const world = await startWorld()
  type Links = { link: string; remote_links: string[] }
  const all = ['web', '--no-open', '--host', '0.0.0.0', '--allow-remote']
  const { link, remote_links } = await world.json<Links>(all)
  const links = [link, ...remote_links.filter((one) => one.includes(`//${far!.address}:`))]
  expect(links).toHaveLength(2)
  for (const one of links) expect((await fetch(one, { redirect: 'manual' })).status).toBe(303)
})

test('loopback prints the link and how to reach it from elsewhere, and no QR code', async () => {
  const world = await startWorld()
  const said = await world.ok(['web', '--no-open'])
  expect(said).toMatch(/^Open this link in a browser:\n {2}http:\/\/127\.0\.0\.1:\d+\/open\?code=[\w-]{43}\n/)
  expect(said).toMatch(/ssh -L (\d+):127\.0\.0\.1:\1 /)
  expect(said).toContain('Or use a VPN')
  expect(said).not.toMatch(/[█▀▄]/)
})

test('tokens are made once for each name, listed without their secret, and stay over a restart', async () => {
  const world = await startWorld()
  const { port } = await openWeb(world)
  const secret = await makeToken(world, 'ci')
  expect(await world.cli(['web', 'token', 'ci'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('WEB_TOKEN_EXISTS'),
  })
  expect((await world.cli(['web', 'token', '../x'])).stderr).toContain('INVALID_NAME')
  expect((await world.cli(['web', 'revoke', 'other'])).stderr).toContain('WEB_TOKEN_NOT_FOUND')
  const { tokens } = await world.json<{ tokens: WebTokenJson[] }>(['web', 'tokens'])
  expect(tokens).toEqual([
    {
      name: 'ci',
      made_at: expect.any(String),
      made_by: expect.any(String),
      expires_at: null,
      expired: false,
    },
  ])
  await world.killDaemon()
  await world.ok(['up'])
  const authorization = `Bearer ${secret}`
  expect(await askWeb(port, '/api/health', { headers: { authorization } })).toMatchObject({ status: 200 })
})

test('a run may neither open the port nor make links or tokens', async () => {
  const world = await startWorld()
  await world.ok(['up'])
  for (const args of [
    ['web', '--no-open'],
    ['web', '--stop'],
    ['web', 'token', 'mine'],
  ])
    expect((await world.cli(args, { env: { HOLDFAST_RUN: 'run-1' } })).stderr).toContain(
      'NOT_ALLOWED_FOR_RUN',
    )
})

test('a task of the page has the environment of the daemon, and says who made it', async () => {
  const world = await startWorld({ config: 'env.pass: [OF_DAEMON]\n', env: { OF_DAEMON: 'yes' } })
  await world.ok(['workspace', 'add', world.project])
  const { port, cookie, origin } = await login(world)
  const body = JSON.stringify({ prompt: 'do: env OF_DAEMON\ndo: finish ok', dir: world.project })
  const headers = { cookie, origin, 'x-holdfast-version': '0' }
  const answer = await askWeb(port, '/api/tasks', { method: 'POST', headers, body })
  expect(answer.status).toBe(201)
  const { task } = JSON.parse(answer.body) as { task: { session_id: string; created_by: string } }
  expect(task.created_by).toMatch(/ \(page\)$/)
  await world.untilStatus(task.session_id, 'COMPLETED')
  expect(await world.ok(['logs', task.session_id])).toContain('OF_DAEMON=yes')
})

test('the page’s files are served with their types, kept for ever when their name has a hash, and nothing is sniffed', async () => {
  const world = await startWorld()
  const { port, cookie } = await login(world)
  const get = (path: string, more: Record<string, string> = {}) =>
    askWeb(port, path, { headers: { cookie, ...more } })
  const index = await get('/')
  expect(index.body).toMatch(/<!doctype html>/i)
  expect(index.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringMatching(
      /default-src 'none'.*connect-src 'self'.*frame-ancestors 'none'/,
    ),
  })
  expect(index.headers['content-security-policy']).toContain("script-src 'self';")
  for (const [extension, type] of [
    ['js', 'text/javascript; charset=utf-8'],
    ['css', 'text/css; charset=utf-8'],
  ] as const) {
    const named = new RegExp(`"(/assets/[\\w-]+-[\\w-]{8}\\.${extension})"`).exec(index.body)?.[1]
    expect((await get(named ?? '/none')).headers, extension).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
  }
  // A worker has the policy of its script.
  const script = /"(\/assets\/[\w-]+\.js)"/.exec(index.body)?.[1] ?? '/none'
  expect((await get(script)).headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'",
  )
  expect((await get('/icon.svg')).headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  })
  expect(await get('/tasks/some-id', { accept: 'text/html' })).toMatchObject({ status: 200 })
  expect(await get('/assets/none.js')).toMatchObject({ status: 404 })
  expect(await get('/api/none')).toMatchObject({ status: 404 })
})
