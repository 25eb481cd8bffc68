// The API document is true: what a daemon answers has the shapes that it says, and no field besides.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import type { Route } from '../../src/protocol/api.ts'
import { HEADER_RUN } from '../../src/protocol/headers.ts'
import { openApi, operations } from '../../src/server/contract/openapi.ts'
import { nodeOf } from '../helpers/events-while-down.ts'
import { ask } from '../helpers/raw-requests.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

type Document = {
  paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, unknown> }> }>>
}
const document = openApi('0', { strict: true })
const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addSchema(document, 'api')

/** With what status the document says that it is answered. */
function statusOf(route: Route): number {
  const [method = '', path = ''] = route.split(' ')
  const { responses } = (document as Document).paths[path.replace(':id', '{id}')]![method.toLowerCase()]!
  return Number(Object.keys(responses).find((one) => one.startsWith('2')))
}

function checkerOf(route: Route) {
  const [method = '', path = ''] = route.split(' ')
  const place = path.replace(':id', '{id}')
  const status = String(statusOf(route))
  const pointer = [
    'paths',
    place,
    method.toLowerCase(),
    'responses',
    status,
    'content',
    'application/json',
    'schema',
  ]
  const steps = pointer.map((step) => encodeURIComponent(step.replace(/~/g, '~0').replace(/\//g, '~1')))
  return ajv.compile({ $ref: `api#/${steps.join('/')}` })
}

/** Asks, and compares the answer with the document. `as`: in the name of this run. */
function asker(world: World) {
  const asked = new Set<Route>()
  const call = async (
    route: Route,
    { id = '', query = '', body, as }: { id?: string; query?: string; body?: unknown; as?: string } = {},
  ) => {
    const [method = '', path = ''] = route.split(' ')
    const headers: Record<string, string> = as === undefined ? {} : { [HEADER_RUN]: as }
    const sent = { headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const answer = await ask(world, method, `${path.replace(':id', encodeURIComponent(id))}${query}`, sent)
    const statuses = route === 'POST /api/workspaces' ? [200, 201] : [statusOf(route)]
    expect(statuses, `${route}: ${answer.status} ${answer.body}`).toContain(answer.status)
    const json = JSON.parse(answer.body)
    const check = checkerOf(route)
    check(json)
    expect({ route, errors: check.errors ?? [] }).toEqual({ route, errors: [] })
    asked.add(route)
    return json
  }
  return { call, asked }
}

test('every route answers as the document says', { timeout: 120_000 }, async () => {
  const world = await startWorld({ config: 'notify.channels: { ring: { type: command, argv: [cat] } }\n' })
  await world.ok(['up'])
  execFileSync('git', ['init', '-q'], { cwd: world.project })
  const { call, asked } = asker(world)
  const dir = world.project
  const inDir = `?dir=${encodeURIComponent(dir)}`
  for (const route of [
    'GET /api/health',
    'GET /api/ready',
    'GET /api/agents',
    'GET /api/openapi.json',
  ] as const)
    await call(route)
  await call('POST /api/tmux/try')
  await call('POST /api/workspaces', { body: { path: dir } })
  const { workspaces } = await call('GET /api/workspaces')
  await call('GET /api/roles', { query: inDir })
  await call('GET /api/config', { query: inDir })
  mkdirSync(join(dir, '.holdfast'), { recursive: true })
  writeFileSync(join(dir, '.holdfast/config.yaml'), "verify:\n  - command: 'true'\n")
  const { files } = await call('GET /api/trust', { query: inDir })
  const seen = (files as { file: string; sha256: string }[]).map(({ file, sha256 }) => ({ file, sha256 }))
  await call('POST /api/trust', { body: { dir, files: seen } })
  await call('DELETE /api/trust', { query: `?path=${encodeURIComponent(dir)}` })
  rmSync(join(dir, '.holdfast/config.yaml'))

  const make = async (prompt: string, more: object = {}) =>
    (await call('POST /api/tasks', { body: { prompt, dir, env: world.env, ...more } })).task
      .session_id as string
  const done = await make('do: write x y\ndo: finish ok', {
    tags: ['t'],
    meta: { a: 'b' },
    verify: [{ file: 'x' }],
  })
  await world.untilStatus(done, 'COMPLETED')
  const asks = await make('do: ask Go on? | Yes | No\ndo: finish ok', { converse: true })
  const idle = await make('do: say hello', { converse: true })
  const failed = await make('do: fail no')
  await world.untilStatus(failed, 'FAILED')
  for (const route of ['GET /api/tasks', 'GET /api/tasks/rows', 'GET /api/tasks/active'] as const)
    await call(route)
  await call('GET /api/tasks/stats')
  for (const id of [done, asks, idle, failed]) {
    for (const route of [
      'GET /api/tasks/:id',
      'GET /api/tasks/:id/why',
      'GET /api/tasks/:id/runs',
      'GET /api/tasks/:id/orders',
    ] as const)
      await call(route, { id })
    await call('GET /api/tasks/:id/prompt', { id })
    await call('GET /api/tasks/:id/result', { id })
    await call('POST /api/tasks/:id/status-check', { id })
    await call('GET /api/tasks/:id/report', { id })
    await call('GET /api/tasks/:id/changes', { id })
  }
  await call('GET /api/tasks/:id/diff', { id: done, query: '?path=x' })
  const limited = await make('do: limit 60')
  await waitFor('it to be parked', async () => (await world.status(limited)).phase === 'parked')
  await call('GET /api/parks')
  await call('POST /api/tasks/:id/unpark', { id: limited })
  await call('POST /api/tasks/:id/kill', { id: limited, body: {} })
  const taken = await make('do: append begun x\ndo: hang')
  await waitFor('its session to begin', () => existsSync(join(dir, 'begun')))
  await call('POST /api/tasks/:id/takeover', { id: taken })
  await waitFor('it to be taken over', async () => {
    const { mode, phase } = await world.status(taken)
    return mode === 'interactive' && phase === 'idle'
  })
  await call('POST /api/tasks/:id/handback', { id: taken })
  await call('POST /api/tasks/:id/kill', { id: taken, body: {} })
  await call('GET /api/questions')
  await call('POST /api/tasks/:id/answer', { id: asks, body: { choice: '1' } })
  await call('POST /api/parks/unpark')
  await call('POST /api/monitor', { body: { ids: [done, failed], wait_seconds: 0, cursor: 'c' } })
  await call('POST /api/tasks/:id/verify', { id: done, body: {} })
  mkdirSync(join(dir, '.holdfast/steps'), { recursive: true })
  writeFileSync(join(dir, '.holdfast/steps/create.yaml'), '- file: x\n')
  await call('POST /api/verify-step', { body: { step: 'create', story: '5.3', dir, env: world.env } })
  const sent = await call('POST /api/tasks/:id/inputs', { id: idle, body: { prompt: 'do: say more' } })
  await call('GET /api/triggers')
  await call('GET /api/triggers/:id', { id: sent.trigger_id })
  await call('POST /api/triggers/:id/force', {
    id: sent.trigger_id,
    body: { operator: 'ada', why: 'it is urgent' },
  })
  const run = (await world.status(idle)).run_id as string
  await call('POST /api/triggers/:id/ack', { id: sent.trigger_id, as: run })
  await call('GET /api/self', { as: run })
  await call('POST /api/self/bridge', { as: run })
  await call('POST /api/tasks/:id/heartbeat', { id: idle, as: run, body: { status: 'active' } })
  await call('POST /api/tasks/:id/result', { id: idle, body: { result: { ok: true } } })
  await call('POST /api/tasks/:id/finish', { id: idle })
  await call('POST /api/tasks/:id/kill', { id: asks, body: { reason: 'enough' } })
  await call('POST /api/tasks/:id/retry', { id: failed, body: { env: world.env } })
  await world.untilStatus(failed, 'FAILED')
  await call('POST /api/tasks/:id/resume', { id: failed, body: { env: world.env } })
  await waitFor('the resumed one to end', async () => (await world.status(failed)).completed_at !== null)
  await call('POST /api/tasks/:id/archive', { id: done })
  await call('POST /api/tasks/removable', { body: { ids: [done] } })
  await call('POST /api/tasks/kill', { body: { ids: [done] } })
  await call('POST /api/tasks/archive', { body: { ids: [failed] } })
  await call('POST /api/tasks/remove', { body: { ids: [failed] } })
  await call('DELETE /api/tasks/:id', { id: done })

  const thread = await call('POST /api/threads', { body: { title: 'the login page' } })
  const inThread = { id: thread.thread_id as string }
  await call('POST /api/threads/:id/messages', { ...inThread, body: { text: 'hello', refs: ['a.ts'] } })
  await call('GET /api/threads')
  await call('GET /api/threads/:id', inThread)
  await call('GET /api/threads/:id/messages', inThread)
  await call('POST /api/threads/:id/read', { ...inThread, body: {} })
  await call('POST /api/threads/:id/continue', { ...inThread, body: {} })
  await call('GET /api/audit')

  const interactive = await make('do: say hello', { mode: 'interactive' })
  await waitFor('it to rest', async () => (await world.status(interactive)).phase === 'idle')
  await call('GET /api/tasks/:id/screen', { id: interactive })
  await call('GET /api/tasks/:id/terminal', { id: interactive })
  await call('POST /api/tasks/:id/keys', { id: interactive, body: { keys: ['Left'] } })
  await call('POST /api/tasks/:id/kill', { id: interactive, body: {} })
  const { runtime } = await call('POST /api/runtimes', {
    body: { role: 'helper', agent: 'scripted', dir, env: world.env },
  })
  const standing = { id: runtime.runtime_id as string }
  await call('GET /api/runtimes')
  await call('GET /api/runtimes/:id', standing)
  await call('POST /api/runtimes/:id/restart', standing)
  await call('POST /api/runtimes/:id/stop', standing)
  await call('DELETE /api/runtimes/:id', standing)

  await call('GET /api/notify/channels')
  await call('POST /api/notify/test', { body: { channel: 'ring' } })
  await call('GET /api/notify/log')
  await call('POST /api/notify/retry', { body: { channel: 'ring' } })
  await call('GET /api/journal')
  await call('POST /api/journal/retry')
  await call('POST /api/journal/drop', { body: { event: `unread:${nodeOf(world)}:1` } })

  await call('POST /api/web', { body: {} })
  await call('GET /api/web')
  await call('POST /api/web/links')
  await call('POST /api/web/tokens', { body: { name: 'ci', expires_in_seconds: 60 } })
  await call('GET /api/web/tokens')
  await call('DELETE /api/web/tokens/:id', { id: 'ci' })
  await call('DELETE /api/web')
  await call('DELETE /api/workspaces/:id', { id: workspaces[0].id })

  await call('POST /api/shutdown')

  /** A text has no shape. */
  const withShape = (Object.keys(operations) as Route[]).filter(
    (route) => operations[route].text === undefined,
  )
  expect(withShape.filter((route) => !asked.has(route))).toEqual([])
})
