// Threads through the command line and HTTP, with a real daemon and agents that call it.
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ErrorJson } from '../../src/protocol/json/error-json.ts'
import type {
  ContinuedJson,
  MessageListJson,
  PostedJson,
  ThreadDetailJson,
  ThreadJson,
  ThreadListJson,
  UnreadJson,
} from '../../src/protocol/json/thread-json.ts'
import { ask } from '../helpers/raw-requests.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { finished, startWorld, type World } from '../helpers/world.ts'

const newThread = async (world: World, ...more: string[]) =>
  (await world.json<ThreadJson>(['thread', 'create', 'the login page', ...more])).thread_id

const failed = async (world: World, args: string[], more: Parameters<World['cli']>[1] = {}) => {
  const { code, stdout } = await world.cli([...args, '--json'], more)
  return { exit: code, ...(JSON.parse(stdout) as { error: ErrorJson }).error }
}

/** A session whose agent lives, and the environment of what it calls. */
async function liveRun(world: World, ...flags: string[]) {
  const id = await world.run('do: hang', ...flags)
  const { run_id } = await waitFor('it to work', async () => {
    const task = await world.status(id)
    return task.phase === 'working' && task
  })
  return { id, env: { HOLDFAST_TASK_ID: id, HOLDFAST_RUN: run_id! } }
}

test('an agent posts from inside its run; a person reads it once, and sees who wrote it', async () => {
  const world = await startWorld()
  const thread = await newThread(world)
  const script = join(world.project, 'post.sh')
  writeFileSync(
    script,
    `printf 'two\\n\\tlines 😀' | holdfast thread post ${thread} --kind finding --ref src/login.ts --json >posted.json\n`,
  )
  const id = await world.run(`do: run sh ${script}\ndo: finish ok`)
  await world.untilStatus(id, 'COMPLETED')
  const posted = JSON.parse(readFileSync(join(world.project, 'posted.json'), 'utf8')) as PostedJson
  const message = { author: `task:${id}`, kind: 'finding', refs: ['src/login.ts'], text: 'two\n\tlines 😀' }
  expect(posted.message).toMatchObject({ ...message, number: 1, thread_id: thread })
  expect((await world.json<ThreadListJson>(['thread', 'list', '--unread'])).threads).toMatchObject([
    { thread_id: thread, unread: 1, messages: 1, state: 'open' },
  ])
  const kept = await world.json<UnreadJson>(['thread', 'read', thread, '--keep'])
  expect(kept).toMatchObject({ messages: [message], up_to: 1, more: false })
  const shown = await world.ok(['thread', 'read', thread])
  expect(shown).toContain(`#1 task:${id}, finding`)
  expect(shown).toContain('  two\n  \tlines 😀\n')
  expect(await world.ok(['thread', 'read', thread])).toBe(`Nothing new in ${thread}\n`)
  const detail = await world.json<ThreadDetailJson>(['thread', 'show', thread])
  expect(detail.members).toMatchObject([{ read: 1 }, { name: `task:${id}`, read: 0 }])
})

/** Of a process started by Node, its stdin, stdout and stderr are sockets, too. */
const STDIO = 3
const socketsOf = (pid: number) =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => linkOf(`/proc/${pid}/fd/${fd}`).startsWith('socket:')).length

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

test('who waits for a message gets it when it is posted, also across the death of the daemon', async () => {
  const world = await startWorld()
  const thread = await newThread(world)
  const { env } = await liveRun(world)
  const reader = world.start(['thread', 'read', thread, '--wait', '60s', '--json'])
  const waiting = finished(reader)
  await waitFor('it to be connected', () => socketsOf(reader.pid!) > STDIO)
  await world.killDaemon()
  await world.ok(['up'])
  await world.ok(['thread', 'post', thread, 'here it is'], { env })
  const { code, stdout } = await waiting
  expect(code).toBe(0)
  expect((JSON.parse(stdout) as UnreadJson).messages).toMatchObject([{ text: 'here it is' }])
  expect(await world.cli(['thread', 'read', thread, '--wait', '1s'])).toMatchObject({
    code: 1,
    stdout: `Nothing new in ${thread}\n`,
  })
})

test('agents in circles are stopped, and told how it goes on; a person lets them', async () => {
  const world = await startWorld()
  const thread = await newThread(world)
  const { env } = await liveRun(world)
  const post = (text: string) => ['thread', 'post', thread, text, '--kind', 'finding']
  await world.ok(post('test 1 fails'), { env })
  await world.ok(post('test 2 fails'), { env })
  expect(await world.ok(post('test 3 fails'), { env })).toContain('The thread is blocked for agents')
  expect(await failed(world, post('test 4 fails'), { env })).toMatchObject({
    exit: 1,
    code: 'THREAD_AUTO_BLOCKED',
    hint: expect.stringContaining('holdfast thread continue'),
  })
  expect(await world.ok(['thread', 'show', thread])).toContain('BLOCKED since')
  await world.ok(['thread', 'post', thread, 'look at the log'])
  expect(await failed(world, ['thread', 'continue', thread], { env })).toMatchObject({
    code: 'NOT_ALLOWED_FOR_RUN',
  })
  const blocked = await world.json<ThreadListJson>(['thread', 'list', '--blocked'])
  expect(blocked.threads).toMatchObject([{ thread_id: thread, blocked: { code: 'THREAD_AUTO_BLOCKED' } }])
  const { continued } = await world.json<ContinuedJson>(['thread', 'continue', thread, '--why', 'seen'])
  expect(continued).toBe(true)
  await world.ok(post('test 4 fails'), { env })
})

test('an agent of the orchestrator’s role may let a thread go on', async () => {
  const world = await startWorld({ config: 'orchestrator.role: chief\nthread.maxTurns: 1\n' })
  const roles = join(world.user, '.config/holdfast/agents/chief')
  mkdirSync(roles, { recursive: true })
  writeFileSync(join(roles, 'chief-agent.md'), '---\ndescription: leads\n---\nYou lead.\n')
  const thread = await newThread(world)
  const { env } = await liveRun(world, '--role', 'chief')
  expect(await world.ok(['thread', 'post', thread, 'one'], { env })).toContain('blocked for agents')
  expect(await world.ok(['thread', 'continue', thread], { env })).toContain('may post')
})

test('many who post at once, and a daemon that is killed meanwhile: no number is missing, nothing is there twice', async () => {
  const world = await startWorld()
  const thread = await newThread(world)
  const texts = Array.from({ length: 12 }, (_, at) => `message ${at}`)
  const posting = texts.map((text) => world.cli(['thread', 'post', thread, text]))
  await waitFor('the first to be stored', async () => {
    const { messages } = await world.daemon.call('GET /api/threads/:id', { id: thread })
    return messages > 0
  })
  await world.killDaemon()
  await world.ok(['up'])
  const said = await Promise.all(posting)
  expect(said.map(({ code }) => code)).toEqual(texts.map(() => 0))
  const { messages }: MessageListJson = await world.daemon.call('GET /api/threads/:id/messages', {
    id: thread,
    query: {},
  })
  expect(messages.map(({ number }) => number)).toEqual(texts.map((_, at) => at + 1))
  expect(messages.map(({ text }) => text).sort()).toEqual([...texts].sort())
})

test('bad input is an error with a code, and nothing is posted', async () => {
  const world = await startWorld()
  const thread = await newThread(world)
  const post = (...more: string[]) => ['thread', 'post', thread, ...more]
  const cases: [string, string[], Parameters<World['cli']>[1]?][] = [
    ['THREAD_NOT_FOUND', ['thread', 'post', 'th_00000000000000000000000000', 'x']],
    ['THREAD_NOT_FOUND', ['thread', 'read', 'nonsense']],
    ['MESSAGE_TOO_LARGE', post(), { input: 'x'.repeat(64 * 1024 + 1) }],
    ['MESSAGE_EMPTY', post(), { input: ' \n' }],
    ['MESSAGE_NOT_TEXT', post('--file', 'binary')],
    ['MESSAGE_NOT_TEXT', post('--file', 'nul')],
    ['USAGE', post('--file', 'missing')],
    ['USAGE', post('words', '--file', 'nul')],
    ['USAGE', post('x', '--kind', 'shout')],
    ['INVALID_REQUEST', post('x', '--ref', 'a\nb')],
    ['INVALID_REQUEST', post('x', '--key', 'no blanks please')],
    ['INVALID_NAME', ['thread', 'create', ' ']],
    ['INVALID_NAME', ['thread', 'create', 'x', '--member', 'nobody']],
    ['WORKSPACE_NOT_FOUND', ['thread', 'create', 'x', '--workspace', 'nowhere']],
    ['NOT_ALLOWED_FOR_RUN', post('x'), { env: { HOLDFAST_RUN: 'of-another-home' } }],
  ]
  writeFileSync(join(world.project, 'binary'), Buffer.from([0xff, 0xfe, 0x01]))
  writeFileSync(join(world.project, 'nul'), 'a\0b')
  for (const [code, args, more] of cases)
    expect([args, (await failed(world, args, more)).code]).toEqual([args, code])
  expect(await world.json<PostedJson>(post('x', '--key', 'k'))).toMatchObject({ message: { number: 1 } })
  expect(await world.json<PostedJson>(post('x', '--key', 'k'))).toMatchObject({ message: { number: 1 } })
  expect((await failed(world, post('y', '--key', 'k'))).code).toBe('KEY_REUSED')
  const { messages } = await world.json<ThreadDetailJson>(['thread', 'show', thread])
  expect(messages).toBe(1)
})

test('over HTTP a request cannot say who posts, and unknown fields are refused', async () => {
  const world = await startWorld()
  const thread = await newThread(world)
  const { id, env } = await liveRun(world)
  const send = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await ask(world, 'POST', `/api/threads${path}`, { body: JSON.stringify(body), headers })
    return { status: answer.status, body: JSON.parse(answer.body) }
  }
  const asRun = { 'x-holdfast-run': env.HOLDFAST_RUN }
  expect(await send(`/${thread}/messages`, { text: 'x', author: 'person:ada' }, asRun)).toMatchObject({
    status: 400,
    body: { code: 'INVALID_REQUEST' },
  })
  const key = { ...asRun, 'idempotency-key': 'k' }
  for (let times = 0; times < 2; times++)
    expect(await send(`/${thread}/messages`, { text: 'x' }, key)).toMatchObject({
      status: 200,
      body: { message: { number: 1, author: `task:${id}` } },
    })
  expect(await send(`/${thread}/messages`, { text: 'y' }, key)).toMatchObject({ status: 409 })
  const reader = { 'x-holdfast-actor': 'eve@pts/9' }
  const read = await send(`/${thread}/read`, {}, reader)
  expect(read.body).toMatchObject({ reader: 'person:eve', cursor: 0, up_to: 1, messages: [{ number: 1 }] })
  expect((await send(`/${thread}/read`, { up_to: 1 }, reader)).body).toMatchObject({ messages: [] })
  expect(await send(`/${thread}/read`, { up_to: 2 }, reader)).toMatchObject({ status: 400 })
  expect(await send(`/${thread}/continue`, {}, asRun)).toMatchObject({ status: 403 })
  const list = await ask(world, 'GET', '/api/threads?state=closed')
  expect(list.status).toBe(400)
})
