// What the board asks and hears, with a real HTTP server in place of the daemon.
import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { LogTail } from '../../../src/cli/top/feed/log-tail.ts'
import { Refresh } from '../../../src/cli/top/feed/refresh.ts'
import { sseReader } from '../../../src/cli/top/feed/sse.ts'
import { BoardModel } from '../../../src/cli/top/model/board-model.ts'
import { serverClock } from '../../../src/cli/top/model/server-clock.ts'
import { monotonicMs } from '../../../src/cli/top/monotonic.ts'
import { nestingOf } from '../../../src/cli/top/nested.ts'
import { DaemonClient } from '../../../src/cli/wire/client.ts'
import { aTaskJson } from '../../builders/task-json.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { type Asked, standInDaemon } from '../stand-in-daemon.ts'
import { listening } from './listening.ts'

const totals = { total: 2, created: 0, running: 2, asking: 0, completed: 0, failed: 0, killed: 0 }
test('an event makes one question about its session, and none about the others', async () => {
  const { model, tell, count, tasks, heard } = await listening({ a: {}, b: {} })
  tasks.a = { phase: 'idle' }
  tell('task_turn_finished', { task: 'a' })
  await waitFor('the new phase', () => model.get('a')?.row.phase === 'idle')
  expect(count('/api/tasks/a')).toBe(1)
  expect(count('/api/tasks/b')).toBe(0)
  expect(count('/api/tasks/rows')).toBe(2)
  expect(heard).toEqual(['task_turn_finished'])
})

test('a created session comes, a removed one goes, and what does not change a row is not asked for', async () => {
  const { model, tell, count, tasks } = await listening({ a: {}, gone: {} })
  tasks.new = {}
  tell('task_created', { task: 'new' })
  delete tasks.gone
  tell('input_said', { task: 'a' })
  tell('task_removed', { task: 'gone' })
  await waitFor('both', () => model.get('new') !== undefined && model.get('gone') === undefined)
  expect(count('/api/tasks/a')).toBe(0)
})

test.each(['question_added', 'questions_closed'])(
  'after %s the questions are asked for at once',
  async (kind) => {
    const { model, tell, count, questions } = await listening({
      a: { task_status: 'waiting_input', phase: 'asking' },
    })
    questions.push({ session_id: 'a', number: 2, question: 'Second?', options: [], asked_at: '' })
    tell(kind, { task: 'a' })
    await waitFor('the question', () => model.get('a')?.questions[0]?.question === 'Second?')
    expect(count('/api/tasks/a')).toBe(1)
  },
)

test('many changes at once are one list, not many questions', async () => {
  const names = Array.from({ length: 30 }, (_, n) => `t${n}`)
  const { model, tell, count, tasks } = await listening(Object.fromEntries(names.map((name) => [name, {}])))
  for (const name of names) tasks[name] = { phase: 'idle' }
  for (const name of names) tell('task_turn_finished', { task: name })
  await waitFor('all', () => names.every((name) => model.get(name)?.row.phase === 'idle'))
  expect(model.stale()).toEqual([])
  expect(count('/api/tasks/rows')).toBe(3)
})

test('while the store is away the board says so; what happened then is asked for without another event', async () => {
  const { model, feed, tell, tasks, hands } = await listening({ a: {} })
  hands.unanswered = /./
  tasks.a = { phase: 'idle' }
  tell('task_turn_finished', { task: 'a' })
  await waitFor('the trouble', () => feed.trouble !== null)
  expect(feed.trouble?.why).toBe('the store does not answer')
  expect(model.get('a')?.row.phase).toBe('working')
  hands.unanswered = /^$/
  await waitFor('the new phase', () => model.get('a')?.row.phase === 'idle')
  expect(feed.trouble).toBeNull()
})

test('a list that could not be read after events were missed is read later', async () => {
  const { model, streams, tasks, hands, count } = await listening({ a: {}, gone: {} })
  hands.unanswered = /rows/
  streams.at(-1)!.destroy()
  delete tasks.gone
  tasks.b = {}
  await waitFor('a try', () => count('/api/tasks/rows') === 3)
  hands.unanswered = /^$/
  await waitFor('the news', () => model.get('b') !== undefined && model.get('gone') === undefined)
})

test('whom a person looks at is asked for at once, however many others change', async () => {
  const names = Array.from({ length: 30 }, (_, n) => `t${n}`)
  const { daemon, model, refresh, tell } = await listening({
    a: {},
    ...Object.fromEntries(names.map((name) => [name, {}])),
  })
  for (const name of names) tell('task_turn_finished', { task: name })
  await waitFor('them to be heard of', () => model.stale().length === 30)
  refresh.wantDetail('a')
  await waitFor('all of it', () => model.get('a')?.detail !== null)
  await waitFor('the others', () => model.stale().length === 0)
  const paths = daemon.asked.map(({ path }) => path.split('?')[0])
  expect(paths.indexOf('/api/tasks/a')).toBeLessThan(paths.lastIndexOf('/api/tasks/rows'))
})

test('a session that the board is not about is asked for once, whatever happens to it', async () => {
  const { model, tell, count, tasks } = await listening({ a: { tags: ['mine'] } }, { tag: 'mine' })
  tasks.new = { tags: ['other'] }
  tell('task_created', { task: 'new' })
  await waitFor('the question', () => count('/api/tasks/new') === 1)
  for (const kind of ['task_launched', 'task_turn_finished', 'task_completed']) tell(kind, { task: 'new' })
  tell('task_turn_finished', { task: 'a' })
  await waitFor('ours', () => count('/api/tasks/a') === 1)
  expect(count('/api/tasks/new')).toBe(1)
  expect(model.get('new')).toBeUndefined()
})

test('sessions that ended long ago come in steps, when a person goes past the last row', async () => {
  const ended = Array.from({ length: 320 }, (_, n) => ({
    session_id: `s${n}`,
    task_status: 'completed' as const,
    status: 'COMPLETED' as const,
  }))
  const daemon = await standInDaemon({
    'GET /api/tasks/rows': ({ path }: Asked) => {
      const { searchParams } = new URL(path, 'http://x')
      const from = Number(searchParams.get('after') ?? 0)
      const to = Math.min(ended.length, from + Math.min(100, Number(searchParams.get('limit'))))
      const next = to < ended.length ? String(to) : null
      return { rows: ended.slice(from, to).map((one) => aTaskJson(one)), totals, next }
    },
    'GET /api/questions': () => ({ questions: [], tmux: null }),
  })
  const model = new BoardModel()
  const refresh = new Refresh({
    daemon: () => new DaemonClient({ home: daemon.home, socket: daemon.socket, headers: {} }),
    model,
    clock: serverClock(Date.now, monotonicMs),
    query: {},
    onAnswer: () => {},
    onTrouble: () => {},
  })
  onTestFinished(() => refresh.stop())
  await refresh.list(false)
  for (const most of [50, 150, 250, 320]) {
    await waitFor(`${most} rows`, () => model.rows().length === most)
    expect(refresh.hasOlder).toBe(most < 320)
    refresh.wantOlder()
  }
  expect(model.stale()).toEqual([])
})

test('a stream that ends is opened again, and the list is read anew', async () => {
  const { model, feed, streams, tasks } = await listening({ a: {} })
  streams.at(-1)!.destroy()
  tasks.b = {}
  await waitFor('the news', () => model.get('b') !== undefined)
  expect(feed.link.kind).toBe('live')
  expect(streams).toHaveLength(2)
})

test('a daemon that is stopped is not started: the board waits for its socket', async () => {
  const { daemon, feed } = await listening({ a: {} })
  await daemon.stop()
  await waitFor('it to be known', () => feed.link.kind === 'stopped')
  expect(feed.silentMs(monotonicMs() + 5_000)).toBeGreaterThan(4_000)
})

test('events are read wherever their bytes are cut', () => {
  const text =
    ': nothing new\n\nid: 1\nevent: task_created\ndata: {"task":"日本"}\n\nevent: x\ndata: 1\ndata: 2\n\n'
  const bytes = Buffer.from(text)
  for (let cut = 0; cut <= bytes.length; cut++) {
    const read = sseReader()
    expect([...read(bytes.subarray(0, cut)), ...read(bytes.subarray(cut))]).toEqual([
      { kind: 'task_created', data: '{"task":"日本"}' },
      { kind: 'x', data: '1\n2' },
    ])
  }
})

test('of a long text only the end is kept, and that is said', () => {
  const tail = new LogTail()
  for (let n = 0; n < 6_000; n++) tail.add(`line ${n}\n`)
  tail.add('\x1b[31mopen')
  expect(tail.lines()).toHaveLength(5_001)
  expect(tail.lines().slice(-2)).toEqual(['line 5999', 'open'])
  expect(tail.isCut).toBe(true)
})

test('what is followed goes on at the same byte when the daemon is restarted', async () => {
  const asked: string[] = []
  let cutOff = () => {}
  const daemon = await standInDaemon({
    'GET /api/tasks/a/output': ({ path }: Asked, response: ServerResponse) => {
      asked.push(new URL(path, 'http://x').searchParams.get('from') ?? 'the end')
      if (asked.length > 1) return void response.end('second\n')
      response.write('first\n')
      cutOff = () => response.destroy()
    },
    'GET /api/tasks/a': () => aTaskJson({ completed_at: '2025-11-18T16:00:00Z' }),
  })
  const tail = new LogTail()
  const client = () => new DaemonClient({ home: daemon.home, socket: daemon.socket, headers: {} })
  await tail.follow('a', client, () => {
    if (asked.length === 1) cutOff()
  })
  expect(tail.lines()).toEqual(['first', 'second'])
  expect(asked).toEqual(['the end', '6'])
  expect(tail.isOver).toBe(true)
})

test.each([
  [{}, 'none'],
  [{ TMUX: '/tmp/t,1,0', TMUX_PANE: '%1' }, 'pane'],
  [{ TMUX: '/tmp/t,1,0' }, 'popup'],
  [{ TMUX: '/home/h/tmux.sock,1,0', TMUX_PANE: '%1' }, 'own_server'],
])('%j is %s', (env, nesting) => {
  expect(nestingOf(env, '/home/h/tmux.sock')).toBe(nesting)
})
