// The tools of Holdfast as agents and people reach them: by MCP over stdio and HTTP, and by `bridge`.
import { createHmac } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homePaths } from '../../src/domain/names/home.ts'
import type { AuditPageJson } from '../../src/protocol/json/daemon-json.ts'
import { textIn } from '../helpers/faults.ts'
import { startMcp } from '../helpers/mcp-client.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { askWeb, makeToken, openWeb } from '../helpers/web.ts'
import { startWorld, type World } from '../helpers/world.ts'

const overHttp = (world: World, method: string, params: object, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const asked = request(
      {
        socketPath: join(world.home, 'daemon.sock'),
        path: '/mcp',
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      (answer) => {
        let body = ''
        answer
          .on('data', (text) => (body += text))
          .on('end', () => resolve({ status: answer.statusCode ?? 0, body }))
      },
    )
    asked.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  })

/** What a shell in the run sees of itself, and its task's id. */
async function aRun(world: World, script = 'do: run sh -c "env >env.txt"\ndo: hang') {
  const id = await world.run(script)
  const env = await waitFor('its environment', () => {
    const text = textIn(world, 'env.txt')
    return text.includes('HOLDFAST_TOKEN_FILE=') && text.endsWith('\n') ? text : undefined
  })
  const named = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(env)?.[1] ?? ''
  const own = { HOLDFAST_RUN: named('HOLDFAST_RUN'), HOLDFAST_TOKEN_FILE: named('HOLDFAST_TOKEN_FILE') }
  return { id, env: own, token: () => readFileSync(own.HOLDFAST_TOKEN_FILE, 'utf8') }
}

const audited = async (world: World) =>
  (await world.json<AuditPageJson>(['audit', '--kind', 'token_refused'])).entries

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'a client of %s is spoken to in its version; stdout has nothing but the protocol',
  async (version) => {
    const world = await startWorld()
    const { ask, open, lines, child } = startMcp(world, {}, version)
    expect((await open()).result?.protocolVersion).toBe(version)
    expect((await ask('tools/list')).result?.tools?.map(({ name }) => name)).toContain('create_task')
    child.stdin!.end()
    await waitFor('its end', () => child.exitCode !== null)
    expect([child.exitCode, lines.length]).toEqual([0, 2])
  },
)

test('a person starts a task, waits for it and reads its result by tools alone', async () => {
  const world = await startWorld()
  await world.ok(['workspace', 'add', world.project])
  const { open, call } = startMcp(world)
  await open()
  const made = await call('create_task', { prompt: 'do: wait 1\ndo: result {"found":3}\ndo: finish ok' })
  const id = String(made.structuredContent?.session_id)
  const waited = await call('wait', { tasks: [id], until: 'ended' })
  expect(waited.structuredContent).toMatchObject({
    over: true,
    tasks: [{ session_id: id, final_state: 'completed' }],
  })
  const seen = await call('get_task', { task: id })
  expect(seen.structuredContent).toMatchObject({ status: 'COMPLETED', result: { found: 3 } })
  expect(JSON.parse(seen.content?.[0]?.text ?? '')).toEqual(seen.structuredContent)
})

test('a wait that is cut is told everything again by the next, until its cursor is given back', async () => {
  const world = await startWorld()
  const { open, call } = startMcp(world)
  await open()
  const id = await world.run('do: finish ok')
  await world.untilStatus(id, 'COMPLETED')
  const first = (await call('wait', { tasks: [id] })).structuredContent as {
    cursor: string
    events: object[]
  }
  expect(first.events.length).toBeGreaterThan(0)
  const start = first.cursor.replace(/@.*/, '@0')
  expect((await call('wait', { tasks: [id], cursor: start })).structuredContent?.events).toEqual(first.events)
  expect((await call('wait', { tasks: [id], cursor: first.cursor })).structuredContent?.events).toEqual([])
})

test('inside a run the tools act as that run: what it may not do is refused in words', async () => {
  const world = await startWorld()
  const { id, env } = await aRun(world)
  const other = await world.run('do: hang')
  const { open, call } = startMcp(world, env)
  await open()
  expect((await call('get_task', { task: id })).structuredContent).toMatchObject({ session_id: id })
  expect((await call('heartbeat_session', { status: 'idle' })).structuredContent).toMatchObject({
    session_id: id,
    status: 'idle',
  })
  const refusals = [
    await call('cancel', { task: other }),
    await call('answer', { task: other, choice: '1' }),
    await call('create_task', { prompt: 'x' }),
  ]
  expect(refusals.map(({ isError, content }) => [isError, content?.[0]?.text.split(':')[0]])).toEqual([
    [true, 'NOT_ALLOWED_FOR_RUN'],
    [true, 'NOT_ALLOWED_FOR_RUN'],
    [true, 'RECURSION_REFUSED'],
  ])
})

test('a result that is submitted is stored at once, and is that of the ended task', async () => {
  const world = await startWorld()
  const submit = 'holdfast bridge submit_result result=[1] >said.json'
  const id = await world.run(`do: run sh -c "${submit}"\ndo: wait-for go\ndo: finish ok`)
  await waitFor('its answer', () => textIn(world, 'said.json').includes(id))
  expect((await world.daemon.call('GET /api/tasks/:id/result', { id })).result).toEqual([1])
  writeFileSync(join(world.project, 'go'), '')
  await world.untilStatus(id, 'COMPLETED')
  expect((await world.daemon.call('GET /api/tasks/:id/result', { id })).result).toEqual([1])
})

test('the token file is for its run alone: 0600, gone when the task has ended, void when it is kept', async () => {
  const world = await startWorld()
  const { id, env, token } = await aRun(world)
  expect(statSync(env.HOLDFAST_TOKEN_FILE).mode & 0o777).toBe(0o600)
  const kept = join(world.root, 'kept')
  writeFileSync(kept, token())
  await world.ok(['kill', id, '--force'])
  await world.untilStatus(id, 'KILLED')
  expect(() => token()).toThrow('ENOENT')
  const { open, call } = startMcp(world, { ...env, HOLDFAST_TOKEN_FILE: kept })
  await open()
  expect((await call('get_task', { task: id })).content?.[0]?.text).toMatch(/^TOKEN_VOID: .+\n.+/)
  expect(await audited(world)).toMatchObject([{ detail: expect.stringContaining('TOKEN_VOID') }])
})

test('forged, borrowed and foreign tokens are refused over stdio, HTTP and the command line, and audited', async () => {
  const world = await startWorld()
  const { id, env, token } = await aRun(world)
  const foreign = await startWorld()
  const theirs = await aRun(foreign)
  const file = join(world.root, 'token')
  const text = token()
  const bad = {
    forged: `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`,
    garbage: 'not a token\nat all',
    empty: '',
    'of another home': theirs.token(),
  }
  for (const [what, content] of Object.entries(bad)) {
    writeFileSync(file, content)
    const said = await world.cli(['status', id, '--json'], { env: { ...env, HOLDFAST_TOKEN_FILE: file } })
    expect([what, JSON.parse(said.stdout)]).toMatchObject([what, { error: { code: 'TOKEN_INVALID' } }])
  }
  const missing = await world.cli(['status', id], { env: { ...env, HOLDFAST_TOKEN_FILE: `${file}.none` } })
  expect(missing.stderr).toContain('TOKEN_INVALID')
  const otherRun = await world.cli(['status', id], { env: { ...env, HOLDFAST_RUN: 'another-run' } })
  expect(otherRun.stderr).toContain('The token is of another run')
  const call = { name: 'get_task', arguments: { task: id } }
  expect((await overHttp(world, 'tools/call', call, { authorization: `Bearer ${bad.forged}` })).status).toBe(
    401,
  )
  const proved = await overHttp(world, 'tools/call', call, { authorization: `Bearer ${text}` })
  expect(proved).toMatchObject({ status: 200, body: expect.stringContaining(id) })
  const rows = await audited(world)
  expect(rows.length).toBeGreaterThanOrEqual(2)
  expect(JSON.stringify(rows)).not.toContain(text.split('.')[3])
})

test('the stdio server reads the token anew for each call', async () => {
  const world = await startWorld()
  const { id, env, token } = await aRun(world)
  const file = join(world.root, 'token')
  writeFileSync(file, token())
  const { open, call } = startMcp(world, { ...env, HOLDFAST_TOKEN_FILE: file })
  await open()
  const said = async () => (await call('get_task', { task: id })).content?.[0]?.text
  expect(await said()).toContain(id)
  writeFileSync(file, 'not a token')
  expect(await said()).toMatch(/^TOKEN_INVALID: /)
  writeFileSync(file, token())
  expect(await said()).toContain(id)
})

test('a token whose time is over is refused over stdio, HTTP and the command line, and audited', async () => {
  const world = await startWorld()
  const { id, env, token } = await aRun(world)
  const file = join(world.root, 'token')
  const now = Date.now()
  for (const [issued, expires] of [
    [now - 16 * 60_000, now - 60_000],
    [now + 5 * 60_000, now + 20 * 60_000],
  ]) {
    const old = signedAgain(world, token(), { issued, expires })
    writeFileSync(file, old)
    const said = await world.cli(['status', id, '--json'], { env: { ...env, HOLDFAST_TOKEN_FILE: file } })
    expect(JSON.parse(said.stdout)).toMatchObject({ error: { code: 'TOKEN_EXPIRED' } })
    const call = { name: 'get_task', arguments: { task: id } }
    const http = await overHttp(world, 'tools/call', call, { authorization: `Bearer ${old}` })
    expect(http).toMatchObject({ status: 401, body: expect.stringContaining('TOKEN_EXPIRED') })
    const { open, call: tool } = startMcp(world, { ...env, HOLDFAST_TOKEN_FILE: file })
    await open()
    expect((await tool('get_task', { task: id })).content?.[0]?.text).toMatch(/^TOKEN_EXPIRED: .+\n.+/)
  }
  expect((await audited(world)).map(({ detail }) => detail)).toContainEqual(
    expect.stringContaining('TOKEN_EXPIRED'),
  )
  // The same claims with their own times are let in: it is the time alone that is refused.
  writeFileSync(file, signedAgain(world, token(), {}))
  expect((await world.cli(['status', id], { env: { ...env, HOLDFAST_TOKEN_FILE: file } })).code).toBe(0)
})

/** With other claims, signed by the key of the home as the daemon does. */
function signedAgain(world: World, token: string, changes: object): string {
  const [form, keyId, claims = ''] = token.trim().split('.')
  const { keys } = JSON.parse(readFileSync(homePaths(world.home).tokenKeys, 'utf8'))
  const key = keys.find(({ id }: { id: string }) => id === keyId)
  const changed = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), ...changes }
  const signed = `${form}.${keyId}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}`
  return `${signed}.${createHmac('sha256', Buffer.from(key.secret, 'hex')).update(signed).digest('base64url')}`
}

test('over HTTP a client of 2026-07-28 is served as well as older ones', async () => {
  const world = await startWorld()
  await world.ok(['up'])
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const call = { name: 'get_task', arguments: { task: 'none' } }
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'get_task',
  }
  for (const answer of [
    await overHttp(world, 'tools/call', { ...call, _meta: meta }, headers),
    await overHttp(world, 'tools/call', call),
  ])
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('TASK_NOT_FOUND') })
})

test('over HTTP, who calls a tool is known by the token, whatever the payload says', async () => {
  const world = await startWorld()
  const { id, token } = await aRun(world)
  const bearer = { authorization: `Bearer ${token()}` }
  const beat = { name: 'heartbeat_session', arguments: { status: 'active' } }
  expect((await overHttp(world, 'tools/call', beat, bearer)).body).toContain(id)
  expect((await overHttp(world, 'tools/call', beat)).body).toContain('ONLY_FOR_RUNS')
  const claims = { name: 'heartbeat_session', arguments: { status: 'active', run: 'another' } }
  expect((await overHttp(world, 'tools/call', claims, bearer)).body).toContain("unknown field: 'run'")
})

test('over TCP the tools answer whoever has a token, and do no more than that port allows', async () => {
  const world = await startWorld()
  const { port } = await openWeb(world)
  await world.ok(['workspace', 'add', world.project])
  const authorization = `Bearer ${await makeToken(world)}`
  const call = async (name: string, args: object, headers: Record<string, string> = { authorization }) => {
    const params = { name, arguments: args }
    const { status, body } = await askWeb(port, '/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    return { status, body }
  }
  const made = await call('create_task', { prompt: 'do: finish ok', dir: world.project })
  expect(made.status).toBe(200)
  const id = /"session_id":"([^"]+)"/.exec(made.body)?.[1] ?? ''
  expect(await call('get_task', { task: id })).toMatchObject({
    status: 200,
    body: expect.stringContaining(id),
  })
  const elsewhere = await call('create_task', { prompt: 'do: finish ok', dir: world.root })
  expect(elsewhere.body).toContain('WORKSPACE_NOT_ALLOWED')
  expect(await call('get_task', { task: id }, {})).toMatchObject({
    status: 401,
    body: expect.stringContaining('LOGIN_REQUIRED'),
  })
})

test('a child that a run starts by a tool has the environment of its parent', async () => {
  const world = await startWorld({ config: 'recursion.depth: 1\n' })
  const { id, env } = await aRun(world, 'do: run sh -c "env >env.txt"\ndo: hang')
  const bare = { ...env, PATH: '/nonexistent', HOME: '/nonexistent' }
  const { open, call } = startMcp(world, bare)
  await open()
  const made = await call('create_task', { prompt: 'do: env HOME\ndo: finish ok' })
  const child = String(made.structuredContent?.session_id)
  await world.untilStatus(child, 'COMPLETED')
  expect(await world.ok(['logs', child])).toContain(`HOME=${world.user}`)
  expect((await world.status(child)).parent_session).toBe(id)
})

test('a run and a person talk in a thread: who wrote what is known by token and socket', async () => {
  const world = await startWorld()
  const { id, env } = await aRun(world)
  const agent = startMcp(world, env)
  await agent.open()
  const opened = await agent.call('create_thread', { title: 'the login' })
  const thread = String(opened.structuredContent?.thread_id)
  await agent.call('post_message', { thread, text: 'It fails on Tuesdays.', kind: 'finding' })
  const person = startMcp(world)
  await person.open()
  const read = await person.call('read_messages', { thread })
  expect(read.structuredContent).toMatchObject({
    messages: [{ author: `task:${id}`, kind: 'finding', text: 'It fails on Tuesdays.' }],
    up_to: 1,
  })
  expect((await person.call('read_messages', { thread, up_to: 1 })).structuredContent?.messages).toEqual([])
  const unknown = await agent.call('ack_trigger', { trigger: 'trg_20260101_0001' })
  expect(unknown.isError).toBe(true)
})
