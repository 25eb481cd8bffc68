// Who gets a live terminal, and who does not. docs/security.md names these tests.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AuditEntryJson } from '../../src/protocol/json/daemon-json.ts'
import type { RuntimeStartedJson } from '../../src/protocol/json/runtime-json.ts'
import { installedCopy } from '../helpers/installed-copy.ts'
import { clientsOf, openTerminal } from '../helpers/live-terminal.ts'
import { ask } from '../helpers/raw-requests.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { login, makeToken, openWeb, rawTcp } from '../helpers/web.ts'
import { startWorld, type World } from '../helpers/world.ts'

async function interactive(world: World): Promise<string> {
  const id = await world.run('do: say hello', '--mode', 'interactive')
  await waitFor('it to be idle', async () => (await world.status(id)).phase === 'idle')
  return id
}

const audited = async (world: World) => (await world.json<{ entries: AuditEntryJson[] }>(['audit'])).entries

test('over TCP a live terminal needs a cookie or a token, and with a cookie the page’s own origin', async () => {
  const world = await startWorld()
  const id = await interactive(world)
  const { port } = await openWeb(world)
  const open = (headers: Record<string, string>, typing = false) =>
    openTerminal(world, id, { port, headers, typing })
  await expect(open({})).rejects.toMatchObject({ status: 401, code: 'LOGIN_REQUIRED' })
  await expect(open({ authorization: 'Bearer hft1.wrong' })).rejects.toMatchObject({ status: 401 })
  const { cookie, origin } = await login(world)
  for (const from of ['https://evil.example', `http://127.0.0.1:${port + 1}`, 'null'])
    for (const typing of [false, true])
      await expect(open({ cookie, origin: from }, typing), from).rejects.toMatchObject({
        status: 403,
        code: 'CROSS_SITE_REFUSED',
      })
  await expect(open({ cookie })).rejects.toMatchObject({ status: 403, code: 'CROSS_SITE_REFUSED' })
  await expect(open({ cookie, origin, host: `evil.example:${port}` })).rejects.toMatchObject({ status: 403 })
  expect(await clientsOf(world)).toEqual([])
  const own = await open({ cookie, origin }, true)
  await own.shows('hello')
  const program = await open({ authorization: `Bearer ${await makeToken(world)}` })
  await program.shows('hello')
})

test('closing the port ends the terminals that came in by it', async () => {
  const world = await startWorld()
  const id = await interactive(world)
  const { port, cookie, origin } = await login(world)
  const viewer = await openTerminal(world, id, { port, headers: { cookie, origin } })
  await viewer.shows('hello')
  await world.ok(['web', '--stop'])
  await viewer.end()
  await waitFor('no client', async () => (await clientsOf(world)).length === 0)
})

test('a run may look, and may never type; its try is on record', async () => {
  const world = await startWorld()
  const id = await interactive(world)
  const { run_id } = await world.status(id)
  const headers = { 'x-holdfast-run': String(run_id) }
  await expect(openTerminal(world, id, { headers, typing: true })).rejects.toMatchObject({
    status: 403,
    code: 'NOT_ALLOWED_FOR_RUN',
  })
  const rows = await audited(world)
  expect(rows.find(({ kind }) => kind === 'order_refused')?.detail).toContain('type into terminals')
  expect(rows.filter(({ kind }) => kind.startsWith('terminal_'))).toEqual([])
  const viewer = await openTerminal(world, id, { headers })
  await viewer.shows('hello')
})

test('a caller has at most eight terminals at once', async () => {
  const world = await startWorld()
  const id = await interactive(world)
  const open = []
  for (let count = 0; count < 8; count += 1) open.push(await openTerminal(world, id))
  await expect(openTerminal(world, id)).rejects.toMatchObject({ status: 429, code: 'TOO_MANY_TERMINALS' })
  const asked = await ask(world, 'GET', `/api/tasks/${id}/terminal`, {
    headers: { 'x-holdfast-actor': 'tester' },
  })
  expect(asked).toMatchObject({ status: 429, body: expect.stringContaining('TOO_MANY_TERMINALS') })
  await openTerminal(world, id, { headers: { 'x-holdfast-actor': 'somebody else' } })
  await open[0]!.close()
  await waitFor('one to be free', () => openTerminal(world, id).then(Boolean, () => false))
})

test('other addresses, other upgrades and bad handshakes are refused, and leave no client', async () => {
  const world = await startWorld()
  const id = await interactive(world)
  const token = await makeToken(world)
  const { port } = await openWeb(world)
  const send = (first: string, more = '') =>
    rawTcp(
      port,
      `${first} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\n${more}\r\n`,
    )
  const handshake =
    'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'
  const path = `/api/tasks/${id}/terminal`
  // A stream that never ends, as an answer to a handshake.
  expect(await send('GET /api/events', handshake)).toMatch(/^HTTP\/1\.1 400 [\s\S]*INVALID_REQUEST/)
  expect(await send('GET /api/health', handshake)).toMatch(/^HTTP\/1\.1 400 /)
  expect(await send(`POST ${path}`, handshake)).toMatch(/^HTTP\/1\.1 400 /)
  expect(await send(`GET ${path}`, 'Upgrade: h2c\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  expect(await send(`GET ${path}?typing=yes`, handshake)).toMatch(/^HTTP\/1\.1 400 [\s\S]*typing/)
  expect(await send(`GET ${path}`, 'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n')).toMatch(
    /^HTTP\/1\.1 400 /,
  )
  expect(await send('GET /api/tasks/nothing/terminal', handshake)).toMatch(/^HTTP\/1\.1 404 /)
  await waitFor('no client', async () => (await clientsOf(world)).length === 0)
})

test('without the optional library the answer says what is missing, and text screens go on', async () => {
  const world = await startWorld({ cli: installedCopy(join(tempDir('hfc'), 'copy')) })
  const id = await world.run('do: say hello', '--mode', 'interactive')
  await waitFor('it to be idle', async () => (await world.status(id)).phase === 'idle')
  const answer = await ask(world, 'GET', `/api/tasks/${id}/terminal`)
  expect(answer.status).toBe(501)
  expect(JSON.parse(answer.body)).toMatchObject({
    code: 'TERMINAL_LIBRARY_MISSING',
    message: expect.stringContaining('@lydell/node-pty'),
    hint: expect.stringContaining('holdfast attach'),
  })
  await expect(openTerminal(world, id)).rejects.toMatchObject({
    status: 501,
    code: 'TERMINAL_LIBRARY_MISSING',
  })
  expect(await world.ok(['screen', id])).toContain('hello')
})

test('a viewer of a runtime sees its window alone, is no operator, changes no window of others, and ends with it', async () => {
  const world = await startWorld({ config: 'reconcile.interval: 300ms\n' })
  const flags = ['--agent', 'scripted']
  await world.json<RuntimeStartedJson>(['runtime', 'start', 'writer', ...flags])
  await world.json<RuntimeStartedJson>([
    'runtime',
    'start',
    'reviewer',
    ...flags,
    '--seed',
    'do: say planted',
  ])
  const current = () => world.tmux('display-message', '-p', '-t', '=agents_project:', '#{window_name}')
  const before = await current()
  const viewer = await openTerminal(world, 'reviewer@project')
  await viewer.shows('planted')
  expect(await current()).toBe(before)
  await world.ok(['send', 'reviewer@project', 'do: say further'])
  await viewer.shows('further')
  const kinds = (await audited(world)).map(({ kind }) => kind)
  expect(kinds).not.toContain('operator_came')
  expect(kinds).not.toContain('registry_drift')
  await world.ok(['runtime', 'stop', 'reviewer@project'])
  expect(await viewer.end()).toBe(1000)
  await waitFor('no client', async () => (await clientsOf(world)).length === 0)
  expect(await world.tmux('list-sessions', '-F', '#{session_name}')).not.toContain('view-')
})
