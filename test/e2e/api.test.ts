import { request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StatsJson } from '../../src/protocol/json/daemon-json.ts'
import type { TaskListJson } from '../../src/protocol/json/task-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

type Answer = { status: number; body: string }

function http(
  world: World,
  method: string,
  path: string,
  more: { body?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(
      { socketPath: join(world.home, 'daemon.sock'), method, path, headers: more.headers },
      (response) => {
        let body = ''
        response.on('data', (text) => (body += text))
        response.on('end', () => resolve({ status: response.statusCode!, body }))
        response.on('error', reject)
      },
    )
    call.on('error', reject)
    call.end(more.body)
  })
}

const eventsOf = (body: string) =>
  body
    .split('\n\n')
    .filter((block) => block.includes('data:'))
    .map((block) => ({
      id: Number(/^id: ?(\d+)$/m.exec(block)?.[1]),
      kind: /^event: ?(\S+)$/m.exec(block)?.[1],
    }))

test('a task’s event stream tells its life, ends by itself, and resumes after the event last seen', async () => {
  const world = await startWorld()
  const id = await world.run('do: wait 1\ndo: finish ok')
  const all = eventsOf((await http(world, 'GET', `/api/tasks/${id}/events`)).body)
  expect(all.map(({ kind }) => kind)).toEqual([
    'task_created',
    'task_launched',
    'task_agent_started',
    'task_completed',
  ])
  const seen = all[1]!.id
  const rest = eventsOf(
    (await http(world, 'GET', `/api/tasks/${id}/events`, { headers: { 'last-event-id': String(seen) } }))
      .body,
  )
  expect(rest).toEqual(all.slice(2))
})

test('stats count every task by its status, and agree with the list', async () => {
  const world = await startWorld()
  for (const script of ['do: finish ok', 'do: finish ok', 'do: fail no']) {
    const id = await world.run(script)
    await world.untilStatus(id, script.includes('fail') ? 'FAILED' : 'COMPLETED')
  }
  const stats: StatsJson = JSON.parse((await http(world, 'GET', '/api/tasks/stats')).body)
  expect(stats).toEqual({
    pending: 0,
    running: 0,
    waiting_input: 0,
    completed: 2,
    failed: 1,
    cancelled: 0,
    total: 3,
  })
  const { totals } = await world.json<TaskListJson>(['list'])
  expect(totals).toMatchObject({ total: stats.total, completed: stats.completed, failed: stats.failed })
  expect(JSON.parse((await http(world, 'GET', '/api/tasks/active')).body).tasks).toEqual([])
})

test.each<[string, string, string, string | undefined, number, string]>([
  ['not JSON', 'POST', '/api/tasks', '{', 400, 'INVALID_REQUEST'],
  [
    'a field that does not exist',
    'POST',
    '/api/tasks',
    '{"prompt":"x","dir":"/","prio":1}',
    400,
    'INVALID_REQUEST',
  ],
  ['a limit that is no whole number', 'GET', '/api/tasks?limit=1e40', undefined, 400, 'INVALID_REQUEST'],
  ['a place in no list', 'GET', '/api/tasks/rows?after=%00', undefined, 400, 'INVALID_REQUEST'],
  ['a relative directory', 'POST', '/api/tasks', '{"prompt":"x","dir":"."}', 400, 'INVALID_REQUEST'],
  [
    'a directory nobody allowed',
    'POST',
    '/api/tasks',
    '{"prompt":"x","dir":"/usr"}',
    403,
    'WORKSPACE_NOT_ALLOWED',
  ],
  ['an unknown route', 'GET', '/api/nothing', undefined, 404, 'INVALID_REQUEST'],
  ['an unknown task', 'GET', '/api/tasks/20200101-000000-none', undefined, 404, 'TASK_NOT_FOUND'],
  ['an id that climbs', 'GET', '/api/tasks/..%2F..%2Fetc', undefined, 400, 'INVALID_ID'],
  [
    'the output of an unknown task',
    'GET',
    '/api/tasks/20200101-000000-none/output',
    undefined,
    404,
    'TASK_NOT_FOUND',
  ],
])('%s is answered with its code', async (_, method, path, body, status, code) => {
  const world = await startWorld()
  await world.ok(['up'])
  const answer = await http(world, method, path, { body })
  expect(answer.status).toBe(status)
  expect(JSON.parse(answer.body)).toMatchObject({
    code,
    message: expect.any(String),
    hint: expect.any(String),
  })
})

test('a reader that never reads holds up neither the task nor other readers', async () => {
  const world = await startWorld()
  const id = await world.run('do: flood 3000000\ndo: finish ok')
  const stalled = request({
    socketPath: join(world.home, 'daemon.sock'),
    path: `/api/tasks/${id}/output?follow=1`,
  })
  await new Promise((resolve, reject) => {
    stalled.on('response', (response) => resolve(response.pause()))
    stalled.on('error', reject)
    stalled.end()
  })
  await world.untilStatus(id, 'COMPLETED')
  expect((await world.ok(['logs', id])).length).toBeGreaterThan(3_000_000)
  stalled.destroy()
})

test('prompts are listed page by page, questions by session, runtimes by role and status', async () => {
  const world = await startWorld()
  const { daemon } = world
  const id = await world.run('do: say hello', '--converse')
  const sent: string[] = []
  for (const text of ['one', 'two', 'three'])
    sent.unshift((await world.json<{ trigger_id: string }>(['send', id, text])).trigger_id)
  const first = await daemon.call('GET /api/triggers', { query: { to: id, limit: '2' } })
  const rest = await daemon.call('GET /api/triggers', { query: { to: id, limit: '2', after: first.next! } })
  const listed = [...first.triggers, ...rest.triggers].map(({ trigger_id }) => trigger_id)
  expect([first.triggers.length, listed, rest.next]).toEqual([2, sent, null])

  const asks = await world.run('do: ask Go on? | yes | no')
  await world.run('do: ask Elsewhere? | yes | no')
  await waitFor('both questions', async () => {
    const { questions } = await daemon.call('GET /api/questions', { query: {} })
    return questions.length === 2
  })
  const { questions } = await daemon.call('GET /api/questions', { query: { task: asks } })
  expect(questions.map(({ question }) => question)).toEqual(['Go on?'])

  for (const role of ['reviewer', 'writer']) await world.ok(['runtime', 'start', role, '--agent', 'scripted'])
  const roles = async (query: object) =>
    (await daemon.call('GET /api/runtimes', { query })).runtimes.map(({ role }) => role)
  expect(await roles({})).toEqual(['reviewer', 'writer'])
  expect(await roles({ role: 'writer' })).toEqual(['writer'])
  expect(await roles({ status: 'failed' })).toEqual([])

  for (const path of ['/api/triggers?after=x', '/api/runtimes?status=well', '/api/tasks?staus=FAILED'])
    expect(await http(world, 'GET', path)).toMatchObject({
      status: 400,
      body: expect.stringContaining('INVALID_REQUEST'),
    })
})
