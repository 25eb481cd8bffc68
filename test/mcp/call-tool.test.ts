import { expect, test } from 'vitest'
import { HoldfastError } from '../../src/domain/errors.ts'
import { callTool, fieldsOf, findTool, inputSchema, tools } from '../../src/mcp/call-tool.ts'
import { errorText } from '../../src/mcp/mcp-server.ts'
import type { ToolWorld } from '../../src/mcp/tool.ts'
import type { MonitorAskJson, MonitorLookJson } from '../../src/protocol/json/monitor-json.ts'
import type { ReadThreadJson } from '../../src/protocol/json/thread-json.ts'
import type { TriggerQuery } from '../../src/protocol/json/trigger-json.ts'
import { aTaskJson } from '../builders/task-json.ts'

type Asked = { readonly route: string; readonly needs: unknown }

/** A daemon that answers each route so, and a clock that moves by what it is waited for. */
function worldOf(answers: Record<string, (needs: never) => unknown>, over: Partial<ToolWorld> = {}) {
  const asked: Asked[] = []
  const world: ToolWorld = {
    call: (async (route: string, needs: unknown) => {
      asked.push({ route, needs })
      const answer = answers[route]
      if (answer === undefined) throw new Error(`nobody answers ${route}`)
      return answer(needs as never)
    }) as ToolWorld['call'],
    dir: '/work',
    env: { PATH: '/bin' },
    newName: () => 'reader',
    monotonic: () => 0,
    ...over,
  }
  return { world, asked }
}

test.each(tools.map((tool) => [tool.name, tool] as const))(
  '%s says what it does, and what it takes',
  (_, tool) => {
    expect(tool.description.length).toBeGreaterThan(50)
    const { type, properties } = inputSchema(tool)
    expect(type).toBe('object')
    for (const [name, field] of Object.entries(properties))
      expect([name, field.description]).not.toContain(undefined)
    expect(tool.hints.openWorldHint).toBe(false)
    expect(JSON.stringify(inputSchema(tool))).not.toContain('"format"')
  },
)

test('only what ends something is called destructive, and only what changes nothing is called reading', () => {
  const having = (hint: 'readOnlyHint' | 'destructiveHint') =>
    tools.filter((tool) => tool.hints[hint]).map(({ name }) => name)
  expect(having('destructiveHint')).toEqual(['cancel'])
  expect(having('readOnlyHint')).toEqual(['get_task', 'list_roles', 'wait', 'get_trigger'])
})

test('a tool that is not there is named, with the nearest that is', async () => {
  expect(() => findTool('get_tsk')).toThrow("There is no tool 'get_tsk'. Did you mean 'get_task'?")
})

test.each([
  ['get_task', {}, "'task' is missing: it must be a string. get_task takes: task."],
  ['get_task', { task: 'x', run: 'other' }, "unknown field: 'run'"],
  ['wait', { tasks: [] }, "'tasks'"],
  ['wait', { tasks: ['a'], seconds: 46 }, "'seconds'"],
  ['send_trigger', { task: 'a', text: 'x', force: { operator: 'me', why: 'now' } }, "unknown field: 'force'"],
  ['send_trigger', { task: 'a', text: 'x', wait: 'done' }, "'wait'"],
  ['get_trigger', { trigger: 'a', wait: 'submitted', seconds: 46 }, "'seconds'"],
  ['create_task', { prompt: 'x', dir: 'relative' }, "'dir'"],
  ['heartbeat_session', { status: 'dead' }, "'status'"],
  ['answer', [], 'The request'],
])('%s with %j is refused before anything is asked', async (name, given, words) => {
  const { world, asked } = worldOf({})
  await expect(callTool(name, given, world)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining(words),
  })
  expect(asked).toEqual([])
})

test('an error is told with its code and what to do, without secrets', async () => {
  const { world } = worldOf({})
  const error = await callTool('nothing', {}, world).catch((thrown) => thrown)
  expect(errorText(error)).toMatch(/^INVALID_REQUEST: There is no tool 'nothing'.*\n.+/)
  expect(errorText(new Error('token=abcdefgh'))).not.toContain('abcdefgh')
})

test('a task is created where its caller works, with the environment of a person and nothing that allows a directory', async () => {
  const { world, asked } = worldOf({
    'POST /api/tasks': () => ({ task: aTaskJson(), notices: ['a notice'], notice_kinds: [] }),
  })
  const made = await callTool('create_task', { prompt: 'Do it.', role: 'tester' }, world)
  expect(asked).toEqual([
    {
      route: 'POST /api/tasks',
      needs: { body: { prompt: 'Do it.', role: 'tester', dir: '/work', env: { PATH: '/bin' } } },
    },
  ])
  expect(made).toMatchObject({ session_id: aTaskJson().session_id, notices: ['a notice'] })
})

test('a run’s task works in the directory of its parent when none is named, and gets its environment from the daemon', async () => {
  const { world, asked } = worldOf(
    {
      'GET /api/self': () => ({ run_id: 'r', session_id: 's', dir: '/own', project: '/own' }),
      'POST /api/tasks': () => ({ task: aTaskJson(), notices: [], notice_kinds: [] }),
    },
    { dir: undefined, env: undefined },
  )
  await callTool('create_task', { prompt: 'Do it.' }, world)
  expect(asked.at(-1)?.needs).toEqual({ body: { prompt: 'Do it.', dir: '/own' } })
})

test('the result of an ended task comes with it; one that is too long is named by its file', async () => {
  const task = aTaskJson({ status: 'COMPLETED', completed_at: '2025-11-18T16:00:00Z' })
  const withResult = (result: unknown) =>
    worldOf({
      'GET /api/tasks/:id': () => task,
      'GET /api/tasks/:id/result': () => ({ session_id: task.session_id, result }),
    }).world
  expect(await callTool('get_task', { task: 'x' }, withResult({ found: 3 }))).toMatchObject({
    result: { found: 3 },
  })
  expect(await callTool('get_task', { task: 'x' }, withResult('x'.repeat(60_000)))).toMatchObject({
    result: null,
    result_file: task.result_file,
  })
})

const look = (over: Partial<MonitorLookJson>): MonitorLookJson => ({
  over: false,
  seen: 'then',
  tasks: [{ session_id: 'whole-id' } as MonitorLookJson['tasks'][number]],
  cursor: 7,
  events: [],
  ...over,
})

test('wait and read_messages go on when the daemon is restarted meanwhile, for the time that is left', async () => {
  let now = 0
  const waited: number[] = []
  /** Dies after 10 s of the first request that waits. */
  const cutOnce = (body: { wait_seconds?: number }) => {
    if (!body.wait_seconds) return
    waited.push(body.wait_seconds)
    if (waited.length > 1) return
    now += 10_000
    throw new HoldfastError('DAEMON_UNREACHABLE', 'The connection to the daemon broke before it answered.')
  }
  const { world } = worldOf(
    {
      'POST /api/monitor': ({ body }: { body: MonitorAskJson }) => {
        cutOnce(body)
        return look({ over: waited.length > 1 })
      },
      'POST /api/threads/:id/read': ({ body }: { body: ReadThreadJson }) => {
        cutOnce(body)
        return { messages: [] }
      },
    },
    { monotonic: () => now },
  )
  expect(await callTool('wait', { tasks: ['who'] }, world)).toMatchObject({ over: true })
  expect(waited).toEqual([45, 35])
  waited.splice(0)
  expect(await callTool('read_messages', { thread: 'th_1', wait_seconds: 20 }, world)).toEqual({
    messages: [],
  })
  expect(waited).toEqual([20, 10])
})

test('a daemon that cannot be reached at all is told, not waited for', async () => {
  const { world, asked } = worldOf({
    'POST /api/monitor': () => {
      throw new HoldfastError('DAEMON_UNREACHABLE', 'nobody is there')
    },
  })
  await expect(callTool('wait', { tasks: ['who'] }, world)).rejects.toMatchObject({
    code: 'DAEMON_UNREACHABLE',
  })
  expect(asked).toHaveLength(5)
})

test('wait asks again until its time is up, with whole ids, and its cursor is acknowledged by the next', async () => {
  let now = 0
  const bodies: MonitorAskJson[] = []
  const { world } = worldOf(
    {
      'POST /api/monitor': ({ body }: { body: MonitorAskJson }) => {
        bodies.push(body)
        now += body.wait_seconds * 500
        return look({ seen: `look ${bodies.length}` })
      },
    },
    { monotonic: () => now },
  )
  const first = (await callTool('wait', { tasks: ['who'], seconds: 0 }, world)) as { cursor: string }
  expect(first).toMatchObject({ over: false, cursor: 'wait-reader@7' })
  await callTool('wait', { tasks: ['who'], cursor: first.cursor, until: 'ended' }, world)
  expect(bodies[0]).toEqual({ ids: ['who'], cursor: 'wait-reader', wait_seconds: 0 })
  expect(bodies[1]).toEqual({ ids: ['who'], cursor: 'wait-reader', until: 'ended', wait_seconds: 0, ack: 7 })
  expect(bodies[2]).toMatchObject({ ids: ['whole-id'], seen: 'look 2', wait_seconds: 45 })
  expect(bodies[3]).toMatchObject({ wait_seconds: 22.5 })
  expect(now).toBeLessThanOrEqual(45_000)
})

test('wait answers at once when there is nothing to wait for', async () => {
  const { world, asked } = worldOf({ 'POST /api/monitor': () => look({ over: true }) })
  expect(await callTool('wait', { tasks: ['who'] }, world)).toMatchObject({ over: true })
  expect(asked).toHaveLength(1)
})

test('who waits for a trigger is answered within 45 seconds, by requests of 20 at most, and told how to go on', async () => {
  let now = 0
  const waits: TriggerQuery[] = []
  const { world, asked } = worldOf(
    {
      'POST /api/tasks/:id/inputs': () => ({ trigger_id: 'trg_1', state: 'queued' }),
      'GET /api/triggers/:id': ({ query }: { query: TriggerQuery }) => {
        waits.push(query)
        now += Number(query.wait_seconds) * 1000
        return { trigger_id: 'trg_1', state: 'submitted', code: null, steps: [] }
      },
    },
    { monotonic: () => now },
  )
  const sent = await callTool('send_trigger', { task: 'who', text: 'Go.', wait: 'acknowledged' }, world)
  expect(asked[0]?.needs).toEqual({ id: 'who', body: { prompt: 'Go.' } })
  expect(waits.map(({ wait_seconds }) => wait_seconds)).toEqual(['20', '20', '5', '0'])
  expect(sent).toMatchObject({
    state: 'submitted',
    heard: true,
    waited: {
      for: 'acknowledged',
      outcome: 'not_yet',
      go_on: expect.stringContaining('Do not send it again'),
    },
  })
})

test('a cursor that no answer told is refused', async () => {
  const { world } = worldOf({})
  await expect(callTool('wait', { tasks: ['a'], cursor: 'x' }, world)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  })
})

test('what a tool takes reads like a list of its fields', () => {
  expect(fieldsOf(findTool('cancel'))).toBe('task, reason?')
})
