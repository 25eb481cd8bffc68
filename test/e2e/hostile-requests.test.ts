// Whatever is sent to whichever route: an answer that says what is wrong, and nothing lost.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AuditEntryJson } from '../../src/protocol/json/daemon-json.ts'
import { usePostgres } from '../helpers/postgres.ts'
import { type Answer, ask, inChunks, raw, type Sent } from '../helpers/raw-requests.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const postgres = usePostgres()
const stores = {
  SQLite: async () => '',
  PostgreSQL: async () => `store.url: ${JSON.stringify(await postgres.freshUrl())}\n`,
}

/** Every route of the protocol, so that a new one is tried as well. */
const ROUTES = [
  ...readFileSync(join(import.meta.dirname, '../../src/protocol/api.ts'), 'utf8').matchAll(
    /^ {2}'(GET|POST|DELETE) (\/api[^']*)'/gm,
  ),
].map(([, method, path]) => ({ method: method!, path: path! }))
const POSTS = ROUTES.filter(({ method }) => method === 'POST')

function expectRefused({ status, body }: Answer, what: string, code = 'INVALID_REQUEST') {
  expect({ what, status: Math.floor(status / 100), body }).toMatchObject({ status: 4 })
  expect({ what, ...JSON.parse(body) }).toEqual({
    what,
    code,
    message: expect.stringMatching(/\S/),
    hint: expect.stringMatching(/\S/),
    ways_out: [],
  })
}

/** As long as the address is refused for other reasons, any task will do. */
const addressed = (path: string, id = '20200101-000000-none') => path.replace(':id', id)

const BODIES: Record<string, Sent> = {
  'half a JSON text': { body: '{"prompt":' },
  'no JSON': { body: 'prompt=x' },
  'a list': { body: '[]' },
  null: { body: 'null' },
  'a text': { body: '"x"' },
  'an unknown field': { body: '{"no_such_field": 1}' },
  'a field twice': { body: '{"env": {"A": "1", "A": "2"}}' },
  'a field twice, once in disguise': { body: '{"prompt": "a", "\\u0070rompt": "b"}' },
  'nested without end': { body: `{"verify": ${'['.repeat(100_000)}` },
  'nested deeply': { body: `{"verify": ${'['.repeat(5000)}${']'.repeat(5000)}}` },
  'bytes that are no text': { body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) },
  'another content-type': { body: '{}', headers: { 'content-type': 'text/plain' } },
  'a form': { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
}

test('bodies that are not what they should be are refused by every route that takes one', async () => {
  const world = await startWorld()
  const id = await world.run('do: finish ok')
  await world.untilStatus(id, 'COMPLETED')
  const pid = world.daemonPid()
  for (const { method, path } of POSTS)
    for (const [what, sent] of Object.entries(BODIES))
      expectRefused(await ask(world, method, addressed(path, id), sent), `${what}: ${method} ${path}`)
  expect(world.daemonPid()).toBe(pid)
  expect(await world.status(id)).toMatchObject({ status: 'COMPLETED', archived_at: null })
})

test('bodies that are too large are refused before they are read: told length or not, on every route', {
  timeout: 120_000,
}, async () => {
  const world = await startWorld()
  await world.ok(['up'])
  const before = peakMemory(world)
  const told = { headers: { 'content-length': String(1_100_000_000), expect: '100-continue' } }
  for (const { method, path } of POSTS)
    expectRefused(await ask(world, method, addressed(path), told), path, 'REQUEST_TOO_LARGE')
  for (const { path } of POSTS)
    expectRefused(await inChunks(world, addressed(path), 400), path, 'REQUEST_TOO_LARGE')
  expect(peakMemory(world) - before).toBeLessThan(400)
  await world.ok(['list'])
})

/** In MB. */
const peakMemory = (world: World) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${world.daemonPid()}/status`, 'utf8'))![1]) / 1024

test('a prompt that is larger than all that can be sent is refused by the command itself', async () => {
  const world = await startWorld()
  writeFileSync(join(world.project, 'large'), 'x'.repeat(41 * 1024 * 1024))
  const said = await world.cli(['run', '--file', 'large'])
  expect(said).toMatchObject({ code: 1, stderr: expect.stringMatching(/\((REQUEST|PROMPT)_TOO_LARGE\)/) })
  expect(existsSync(join(world.home, 'daemon.json')), 'a daemon was started').toBe(false)
})

test('very long ids, tags and headers have an error of their own', async () => {
  const world = await startWorld()
  const long = 'x'.repeat(100_000)
  for (const command of [
    ['status', long],
    ['list', '--tag', long],
    ['logs', long],
    ['kill', long, '--force'],
  ]) {
    const said = await world.cli(command)
    expect(said, command[0]).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\((REQUEST_TOO_LARGE|INVALID_\w+)\)/),
    })
    expect(said.stderr).not.toContain('DAEMON_OTHER_VERSION')
  }
  expectRefused(await ask(world, 'GET', `/api/tasks/${long}`), 'id', 'REQUEST_TOO_LARGE')
  const headers = { 'x-holdfast-actor': long }
  expectRefused(await ask(world, 'GET', '/api/health', { headers }), 'header', 'REQUEST_TOO_LARGE')
})

test('what is not HTTP is answered with an error, and the daemon goes on', async () => {
  const world = await startWorld()
  await world.ok(['up'])
  const pid = world.daemonPid()
  for (const bytes of [
    'hello\r\n\r\n',
    '\0\0\0\0\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /api/health HTTP/1.1\r\nhost: a b\r\n\r\n',
    'GET /api/health HTTP/1.1\r\n\r\n',
    'POST /api/tasks HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}',
  ]) {
    const said = await raw(world, bytes)
    expect(said, bytes).toMatch(/^HTTP\/1.1 4\d\d /)
    expect(JSON.parse(said.slice(said.indexOf('\r\n\r\n'))), bytes).toMatchObject({ code: 'INVALID_REQUEST' })
  }
  await world.ok(['list'])
  expect(world.daemonPid()).toBe(pid)
})

test.each(Object.entries(stores))(
  'addresses with ids, numbers or times that are none are refused as the caller’s mistake, on %s',
  async (_, store) => {
    const world = await startWorld({ config: await store() })
    const id = await world.run('do: finish ok')
    await world.untilStatus(id, 'COMPLETED')
    for (const { method, path } of ROUTES.filter((route) => route.path.includes(':id')))
      for (const bad of [
        '%E0%A4%A',
        '%',
        '%zz',
        '%00',
        'a%00b',
        '..%2f..%2fetc',
        '%2e%2e',
        `${'x'.repeat(3000)}`,
        "'%3b--",
      ]) {
        const answer = await ask(world, method, addressed(path, bad))
        expect({ method, path, bad, ...answer }).toMatchObject({ status: expect.toBeOneOf([400, 404]) })
        expect(JSON.parse(answer.body)).toMatchObject({ code: expect.any(String), hint: expect.any(String) })
      }
    const numbers = ['1e40', '0.5', '-1', 'NaN', '0x10', '99999999999999999999', '', '%20', '1%00']
    const taking = [
      'audit?limit',
      `tasks/${id}/output?from`,
      `tasks/${id}/raw?from`,
      `tasks/${id}/session-log?from`,
      `tasks/${id}/events?after`,
      'tasks?limit',
      'tasks/rows?limit',
      'tasks/active?limit',
      'tasks?after',
      'tasks/rows?after',
      'audit?since',
      'tasks?ended_since',
      'tasks/rows?ended_since',
      'tasks/active?ended_since',
    ]
    for (const name of taking)
      for (const bad of name.endsWith('since') ? ['yesterday', '', '%E0%A4%A', '9e99', '1%00'] : numbers)
        expectRefused(await ask(world, 'GET', `/api/${name}=${bad}`), `${name}=${bad}`)
    for (const bad of ['1e40', '0.5', '-1', 'x', ' '])
      expectRefused(
        await ask(world, 'GET', `/api/tasks/${id}/events`, { headers: { 'last-event-id': bad } }),
        bad,
      )
  },
)

test.each(Object.entries(stores))(
  'numbers in bodies that no store can keep are refused, and odd texts cause no internal error, on %s',
  async (_, store) => {
    const world = await startWorld({ config: await store() })
    const id = await world.run('do: finish ok')
    await world.untilStatus(id, 'COMPLETED')
    const create = (more: object) => JSON.stringify({ prompt: 'do: finish ok', dir: world.project, ...more })
    for (const seconds of ['1e40', '-1', '0', '1e999', '"1"']) {
      const body = create({}).replace('}', `, "max_duration_seconds": ${seconds}}`)
      expectRefused(await ask(world, 'POST', '/api/tasks', { body }), seconds)
    }
    for (const age of ['1e40', '-1', '1e999', '"1"'])
      expectRefused(
        await ask(world, 'POST', '/api/tasks/archive', { body: `{"older_than_seconds": ${age}}` }),
        age,
      )
    const monitors = [
      '"wait_seconds": 0, "cursor": "c", "ack": 1e40',
      '"wait_seconds": 0, "cursor": "c", "ack": 0.5',
      '"wait_seconds": 1e40',
    ]
    for (const fields of monitors)
      expectRefused(
        await ask(world, 'POST', '/api/monitor', { body: `{"ids": ["${id}"], ${fields}}` }),
        fields,
      )
    for (const question of ['1e40', '0.5', '0', '-1'])
      expectRefused(
        await ask(world, 'POST', `/api/tasks/${id}/answer`, {
          body: `{"choice": "1", "question": ${question}}`,
        }),
        question,
      )
    // Odd, but they can be kept.
    for (const more of [
      { max_duration_seconds: 0.0001 },
      { meta: { a: '\0' } },
      { meta: JSON.parse('{"__proto__": "x"}') },
      { name: 'constructor' },
      { tags: ['toString'] },
    ]) {
      const { status, body } = await ask(world, 'POST', '/api/tasks', { body: create(more) })
      expect({ more, status, body }).toMatchObject({ status: expect.toBeOneOf([201, 400]) })
      expect(body).not.toContain('INTERNAL')
    }
    expect(
      (await ask(world, 'POST', '/api/tasks/archive', { body: '{"older_than_seconds": 0.0001}' })).status,
    ).toBe(200)
    expect((await ask(world, 'GET', '/api/health')).status).toBe(200)
  },
)

test('orders that a run may not give are refused and on the record, with its task', async () => {
  const world = await startWorld()
  const [runs, other] = [await world.run('do: hang'), await world.run('do: hang')]
  for (const id of [runs, other])
    await waitFor('it to work', async () => (await world.status(id)).phase === 'working')
  const { run_id } = await world.status(runs)
  const headers = { 'x-holdfast-run': run_id! }
  const orders: [string, string, string?][] = [
    ['POST', `/api/tasks/${other}/kill`, '{}'],
    ['POST', `/api/tasks/${other}/answer`, '{"choice": "1"}'],
    ['POST', `/api/tasks/${other}/inputs`, '{"prompt": "x"}'],
    ['POST', `/api/tasks/${other}/heartbeat`],
    ['POST', '/api/shutdown'],
    ['POST', '/api/workspaces', '{"path": "/tmp"}'],
    ['DELETE', '/api/trust?path=/x'],
  ]
  for (const [method, path, body] of orders)
    expectRefused(await ask(world, method, path, { body, headers }), path, 'NOT_ALLOWED_FOR_RUN')
  const { entries } = await world.json<{ entries: AuditEntryJson[] }>(['audit', '--kind', 'order_refused'])
  expect(entries.map(({ detail }) => detail.split(':', 1)[0])).toEqual(
    orders.map(([method, path]) => `${method} ${path.replace(/\?.*/, '')}`).reverse(),
  )
  for (const entry of entries) expect(entry).toMatchObject({ session_id: runs, actor: `run ${run_id}` })
  // A look is no order.
  expect((await ask(world, 'GET', '/api/tasks', { headers })).status).toBe(200)
})
