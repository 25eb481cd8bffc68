// A web page of the user's own, on another port, that uses `holdfast/client` as it is built.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import type { AuditEntryJson } from '../../src/protocol/json/daemon-json.ts'
import { makeToken, openWeb } from '../helpers/web.ts'
import { startWorld, type World } from '../helpers/world.ts'
import { openContext } from './lib/browser.ts'

const CLIENT = join(import.meta.dirname, '../../dist/client/browser.js')

/** A page that has the client as `holdfast`, and nothing else. */
async function startOwnPage(): Promise<string> {
  const server = createServer(({ url }, answer) => {
    const isClient = url === '/client.js'
    answer.setHeader('content-type', isClient ? 'text/javascript' : 'text/html')
    answer.end(isClient ? readFileSync(CLIENT) : '<!doctype html><title>mine</title>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

/** A browser that is logged in at the daemon's page, and shows the user's own. */
async function openOwnPage({ isNamed }: { readonly isNamed: boolean }) {
  const own = await startOwnPage()
  const world = await startWorld({ config: isNamed ? `server.origins: ["${own}"]\n` : '' })
  const { link, address } = await openWeb(world)
  const page = await (await openContext()).newPage()
  await page.goto(link)
  await page.goto(own)
  return { world, page, url: address }
}

/** Runs in the page, with the client as `client`; what it throws is told. */
const inPage = (page: Page, script: string, given: object) =>
  page.evaluate(`(async ({ url, token, id }) => {
    const client = await import('/client.js')
    try { ${script} } catch (error) {
      return { name: error.name, code: error.code, status: error.status }
    }
  })(${JSON.stringify(given)})`)

const HEALTH = `return await client.connect({ url, token }).call('GET /api/health')`
const refusedLogins = async (world: World) =>
  (await world.json<{ entries: AuditEntryJson[] }>(['audit', '--kind', 'login_refused'])).entries

test('a page of a named origin calls routes and follows events with a token', async () => {
  const { world, page, url } = await openOwnPage({ isNamed: true })
  const token = await makeToken(world)
  await world.ok(['workspace', 'add', world.project])
  const { version } = await world.health()
  expect(await inPage(page, HEALTH, { url, token })).toMatchObject({ version })
  const script = `
    const versions = []
    const holdfast = client.connect({ url, token, onOtherVersion: (version) => versions.push(version) })
    const body = { prompt: 'do: say hello', agent: 'scripted', dir: id }
    const { task } = await holdfast.call('POST /api/tasks', { body })
    const kinds = []
    for await (const { kind } of holdfast.events({ task: task.session_id, from: 'start' })) {
      kinds.push(kind)
      if (kind === 'task_completed') break
    }
    return { id: task.session_id, kinds, versions }`
  const told = await inPage(page, script, { url, token, id: world.project })
  expect(told).toMatchObject({ id: expect.any(String), versions: [] })
  const { id, kinds } = told as { id: string; kinds: string[] }
  expect([kinds[0], kinds.at(-1)]).toEqual(['task_created', 'task_completed'])
  expect((await world.status(id)).status).toBe('COMPLETED')
  const unknown = `return await client.connect({ url, token }).call('GET /api/tasks/:id', { id: 'none' })`
  expect(await inPage(page, unknown, { url, token })).toEqual({
    name: 'ApiError',
    code: 'TASK_NOT_FOUND',
    status: 404,
  })
})

test('a page of a named origin gets nothing without a token, though the browser has a cookie', async () => {
  const { world, page, url } = await openOwnPage({ isNamed: true })
  // The browser sends its cookie along: another port is the same site. Without one, nothing is on record.
  const withCookie = `return (await fetch(url + '/api/health', { credentials: 'include' })).status`
  expect(await inPage(page, withCookie, { url })).toMatchObject({ name: 'TypeError' })
  expect((await refusedLogins(world)).map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^GET \/api\/health: LOGIN_REQUIRED: .*a cookie does not count/),
  ])
  const refused = { name: 'ApiError', code: 'LOGIN_REQUIRED', status: 401 }
  expect(await inPage(page, HEALTH, { url })).toEqual(refused)
  expect(await inPage(page, HEALTH, { url, token: 'hft1.wrong' })).toEqual(refused)
})

test('a page of a named origin is told that a live terminal cannot be had with a token', async () => {
  const { world, page, url } = await openOwnPage({ isNamed: true })
  const id = await world.run('do: say hello', '--mode', 'interactive')
  const script = `return await new Promise((resolve) => {
    client.connect({ url, token }).terminal(id, {
      onBytes: () => resolve('bytes'),
      onState: (state) => state.kind === 'refused' && resolve({ code: state.error.code, message: state.error.message }),
    })
  })`
  expect(await inPage(page, script, { url, token: await makeToken(world), id })).toEqual({
    code: 'LOGIN_REQUIRED',
    message: expect.stringContaining('a token cannot be sent with it'),
  })
})

test('a page of an origin that is not named reaches nothing, with a right token too', async () => {
  const { world, page, url } = await openOwnPage({ isNamed: false })
  const token = await makeToken(world)
  const unreachable = { name: 'ApiError', code: 'DAEMON_UNREACHABLE', status: 0 }
  expect(await inPage(page, HEALTH, { url, token })).toEqual(unreachable)
  expect(await inPage(page, HEALTH, { url })).toEqual(unreachable)
})
