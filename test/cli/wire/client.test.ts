import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type ClientOptions, DaemonClient } from '../../../src/cli/wire/client.ts'
import { homePaths } from '../../../src/domain/names/home.ts'
import { aTaskJson } from '../../builders/task-json.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { refuse, standInDaemon } from '../stand-in-daemon.ts'

const clientOf = (home: string, options: Partial<ClientOptions> = {}) =>
  new DaemonClient({ home, socket: homePaths(home).socket, headers: {}, ...options })
const failure = (code: string, message: string | RegExp = '') =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

test('a call sends id, query, body and headers, and gives back the JSON', async () => {
  const { home, asked } = await standInDaemon({
    'GET /api/tasks': () => ({ tasks: [], totals: {} }),
    'POST /api/tasks/a%2F%20b/kill': () => ({ already_ended: false, task: aTaskJson() }),
  })
  const client = clientOf(home, { headers: { 'x-holdfast-actor': 'me' } })
  await client.call('GET /api/tasks', { query: { tag: 'a&b', status: undefined } })
  await client.call('POST /api/tasks/:id/kill', { id: 'a/ b', body: { reason: 'ä' } })
  expect(asked[0]).toMatchObject({ path: '/api/tasks?tag=a%26b', headers: { 'x-holdfast-actor': 'me' } })
  expect(asked[1]).toMatchObject({ path: '/api/tasks/a%2F%20b/kill', body: { reason: 'ä' } })
})

test("the daemon's errors arrive with their code and message", async () => {
  const { home } = await standInDaemon({
    'GET /api/tasks/x': (_, response) => refuse(response, 'AMBIGUOUS_ID', 409),
  })
  await expect(clientOf(home).call('GET /api/tasks/:id', { id: 'x' })).rejects.toEqual(
    failure('AMBIGUOUS_ID', 'says AMBIGUOUS_ID'),
  )
  await expect(clientOf(home).stream('GET /api/tasks/:id/output', { id: 'y', query: {} })).rejects.toEqual(
    failure('TASK_NOT_FOUND'),
  )
})

test.each([
  [
    'a code from the future',
    JSON.stringify({ code: 'NOT_YET_KNOWN', message: 'new' }),
    'DAEMON_OTHER_VERSION',
  ],
  ['a code that objects have', JSON.stringify({ code: 'constructor', message: 'x' }), 'DAEMON_OTHER_VERSION'],
  ['no JSON at all', '<h1>500</h1>', 'DAEMON_OTHER_VERSION'],
  ['null', 'null', 'DAEMON_OTHER_VERSION'],
])('an error with %s is still an error of ours', async (_, text, code) => {
  const { home } = await standInDaemon({
    'GET /api/health': (_asked, response) => {
      response.statusCode = 500
      response.end(text)
    },
  })
  await expect(clientOf(home).call('GET /api/health')).rejects.toEqual(failure(code))
})

test('an answer that is not JSON is our bug', async () => {
  const { home } = await standInDaemon({ 'GET /api/health': (_, response) => void response.end('{') })
  await expect(clientOf(home).call('GET /api/health')).rejects.toEqual(failure('INTERNAL'))
})

test.each(['', '.', '..'])('the id %j never becomes a path', async (id) => {
  const { home, asked } = await standInDaemon({})
  await expect(clientOf(home).call('GET /api/tasks/:id', { id })).rejects.toEqual(failure('INVALID_ID'))
  expect(asked).toEqual([])
})

test('without a daemon a client that only looks says so', async () => {
  await expect(clientOf(tempDir()).call('GET /api/health')).rejects.toEqual(failure('DAEMON_UNREACHABLE'))
})

test('without a daemon a client reaches for one, then asks', async () => {
  const home = tempDir()
  writeFileSync(homePaths(home).socket, 'a stale file')
  const reach = async () => {
    rmSync(homePaths(home).socket)
    await standInDaemon({ 'GET /api/tasks/stats': () => ({ total: 7 }) }, home)
  }
  expect(await clientOf(home, { reach }).call('GET /api/tasks/stats')).toEqual({ total: 7 })
})

test('what only reads and what has a key is asked again when the daemon dies over it, with the same key; nothing else is', async () => {
  let deaths = 0
  const keys: (string | undefined)[] = []
  const { home, asked } = await standInDaemon({
    'GET /api/tasks/stats': (_, response) => (deaths++ === 0 ? void response.destroy() : { total: 1 }),
    'POST /api/threads': ({ headers }, response) =>
      keys.push(headers['idempotency-key'] as string) === 1 ? void response.destroy() : { thread_id: 't' },
    'POST /api/shutdown': (_, response) => void response.destroy(),
  })
  expect(await clientOf(home).call('POST /api/threads', { body: { title: 'x' } })).toEqual({ thread_id: 't' })
  expect(keys).toEqual([expect.stringMatching(/^[\w-]{16,}$/), keys[0]])
  expect(await clientOf(home).call('GET /api/tasks/stats')).toEqual({ total: 1 })
  await expect(clientOf(home).call('POST /api/shutdown')).rejects.toEqual(
    failure('DAEMON_UNREACHABLE', 'broke before it answered'),
  )
  expect(asked.filter(({ path }) => path === '/api/shutdown')).toHaveLength(1)
})

test('a daemon that accepts but never answers is reported with its pid', async () => {
  const home = tempDir()
  const mute = createServer(() => {})
  await new Promise<void>((resolve) => mute.listen(homePaths(home).socket, resolve))
  onTestFinished(() => void mute.close())
  writeFileSync(homePaths(home).holder, JSON.stringify({ pid: 4711, version: '1', started_at: '' }))
  await expect(clientOf(home, { patienceMs: 50 }).call('POST /api/shutdown')).rejects.toEqual(
    failure('DAEMON_SILENT', 'pid 4711'),
  )
})

test('a long answer is waited for as long as the daemon is well', async () => {
  const { home, asked } = await standInDaemon({
    'GET /api/health': () => ({}),
    'POST /api/shutdown': (_, response) => {
      const answer = () =>
        asked.length < 4 ? setTimeout(answer, 10) : response.end(JSON.stringify({ stopping: true }))
      answer()
    },
  })
  expect(await clientOf(home, { patienceMs: 50 }).call('POST /api/shutdown')).toEqual({ stopping: true })
})

test.skipIf(process.getuid?.() === 0)('a socket of somebody else is a matter of permissions', async () => {
  const { home, socket } = await standInDaemon({})
  chmodSync(socket, 0)
  await expect(clientOf(home).call('GET /api/health')).rejects.toEqual(failure('HOME_NOT_WRITABLE'))
})

test('the version of the daemon is told with every answer', async () => {
  const { home } = await standInDaemon({
    'GET /api/health': (_, response) => {
      response.setHeader('x-holdfast-version', '9.9.9')
      return {}
    },
  })
  const versions: string[] = []
  await clientOf(home, { onVersion: (version) => versions.push(version) }).call('GET /api/health')
  expect(versions).toEqual(['9.9.9'])
})

const expiredUnless = (token: string) =>
  standInDaemon({
    'POST /api/tasks/x/verify': ({ headers }, response) =>
      headers.authorization === `Bearer ${token}`
        ? { session_id: 'x', verified: true, checks: [] }
        : refuse(response, 'TOKEN_EXPIRED', 401),
  })

test('an expired token is read anew, and the request repeated: nothing was done by the first', async () => {
  const { home, asked } = await expiredUnless('new')
  const client = clientOf(home, {
    headers: { authorization: 'Bearer old' },
    headersAnew: () => ({ authorization: 'Bearer new' }),
  })
  await client.call('POST /api/tasks/:id/verify', { id: 'x', body: {} })
  await client.call('POST /api/tasks/:id/verify', { id: 'x', body: {} })
  expect(asked.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer old',
    'Bearer new',
    'Bearer new',
  ])
})

test('a token that is expired again is an error, not a loop', async () => {
  const { home, asked } = await expiredUnless('never')
  const client = clientOf(home, { headersAnew: () => ({ authorization: 'Bearer other' }) })
  await expect(client.call('POST /api/tasks/:id/verify', { id: 'x', body: {} })).rejects.toEqual(
    failure('TOKEN_EXPIRED'),
  )
  expect(asked).toHaveLength(2)
})
