import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CreateTaskJson } from '../../../src/protocol/json/create-json.ts'
import { aTaskJson } from '../../builders/task-json.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { builtCli, finished } from '../built-cli.ts'
import { bulk, standInDaemon } from '../stand-in-daemon.ts'

const { run, start } = builtCli()
const task = aTaskJson()
const ID = task.session_id
const created = (notices: string[] = []) => ({ 'POST /api/tasks': () => ({ task, notices }) })
const ended = (status: 'COMPLETED' | 'FAILED') =>
  aTaskJson({
    status,
    task_status: status === 'COMPLETED' ? 'completed' : 'failed',
    phase: null,
    reason: 'why\nso',
  })
const requested = (asked: { body: unknown }[]) => asked[0]?.body as CreateTaskJson

test('create sends role, prompt and place, and prints what a script can cut the id from', async () => {
  const { home, asked } = await standInDaemon(created(['/p is now an allowed workspace (p).']))
  writeFileSync(join(home, 'task.md'), 'Do $(this) "well"\n')
  const { code, stdout, stderr } = await run(home, ['create', 'validator', 'task.md'], { cwd: home })
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'Notice: /p is now an allowed workspace (p).\n' })
  expect(stdout).toBe(`Session created: ${ID}
  Workspace: ${task.workspace}
  Tmux:      ${task.tmux_session}
  Attach:    holdfast attach ${ID}
`)
  expect(requested(asked)).toMatchObject({
    command: 'create',
    role: 'validator',
    prompt: 'Do $(this) "well"\n',
    dir: home,
  })
  expect(requested(asked)).not.toHaveProperty('max_duration_seconds')
})

test('a call outside a run allows the directory, a call inside a run never does', async () => {
  const { home, asked } = await standInDaemon(created())
  await run(home, ['run', 'x'])
  await run(home, ['run', 'x'], { env: { HOLDFAST_RUN: 'run-1' } })
  expect(asked.map(({ body }) => (body as CreateTaskJson).allow_dir)).toEqual([true, undefined])
})

test('the environment goes along whole for the daemon to filter, and what --env names stands apart', async () => {
  const { home, asked } = await standInDaemon(created())
  const env = { LANG: 'C.UTF-8', OTHER: 'o', WANTED: 'w' }
  await run(home, ['run', 'x', '--env', 'WANTED', '-e', 'SET=a=b'], { env })
  expect(requested(asked).env).toMatchObject({ LANG: 'C.UTF-8', HOME: home, OTHER: 'o' })
  expect(requested(asked).set_env).toEqual({ WANTED: 'w', SET: 'a=b' })
})

test('run takes its options to the daemon', async () => {
  const { home, asked } = await standInDaemon(created())
  const line =
    'run -a scripted -m big -n demo -r dev -p high -t a -t b --meta k=v=w --mode headless --converse --max-duration none --no-queue fix it'
  await run(home, line.split(' '))
  expect(requested(asked)).toMatchObject({
    command: 'run',
    prompt: 'fix it',
    agent: 'scripted',
    model: 'big',
    name: 'demo',
    role: 'dev',
    priority: 'high',
    tags: ['a', 'b'],
    meta: { k: 'v=w' },
    mode: 'headless',
    converse: true,
    max_duration_seconds: null,
    no_queue: true,
  })
})

test.each([[['run']], [['run', '-']], [['run', '--file', '-']]])(
  '%j reads the prompt from stdin',
  async (argv) => {
    const { home, asked } = await standInDaemon(created())
    expect((await run(home, argv, { input: 'from a pipe' })).code).toBe(0)
    expect(requested(asked).prompt).toBe('from a pipe')
  },
)

test.each([
  [['create', 'r', 'none.md'], '', 'Task prompt file not found: none.md (PROMPT_NOT_FOUND)'],
  [['create', 'r', '.'], '', '(PROMPT_NOT_FOUND)'],
  [['run'], '', 'The prompt is empty. (PROMPT_EMPTY)'],
  [['run'], Buffer.from([0xff, 0xfe]), '(PROMPT_NOT_TEXT)'],
  [['run'], Buffer.alloc(17 * 1024 * 1024, 97), '(PROMPT_TOO_LARGE)'],
  [['run', 'x', '--file', 'y'], '', '(USAGE)'],
  [['run', 'x', '--meta', 'novalue'], '', "'novalue' is not KEY=VALUE. (USAGE)"],
  [['run', 'x', '--env', 'NOT_SET'], '', 'NOT_SET is not set in your environment. (USAGE)'],
  [['run', 'x', '--env', 'A-B=1'], '', "'A-B' is not the name of a variable. (USAGE)"],
])('%j is refused before the daemon hears of it', async (argv, input, message) => {
  const { home, asked } = await standInDaemon(created())
  const { code, stderr } = await run(home, argv, { input, cwd: home })
  expect(code).toBe(1)
  expect(stderr).toContain(message)
  expect(asked).toEqual([])
})

test.each([
  ['COMPLETED', 0, `Session completed: ${ID} after 5m 32s\n`],
  ['FAILED', 2, `Session failed: ${ID} after 5m 32s: why so\n`],
] as const)('run --wait shows the output on stdout and %s on stderr', async (status, exit, last) => {
  const { home } = await standInDaemon({
    ...created(),
    [`GET /api/tasks/${ID}/output`]: (_, response) => void response.end('hello\n'),
    [`GET /api/tasks/${ID}`]: () => ended(status),
  })
  const { code, stdout, stderr } = await run(home, ['run', 'x', '--wait'])
  expect({ code, stdout }).toEqual({ code: exit, stdout: 'hello\n' })
  expect(stderr.startsWith(`Session created: ${ID}\n`)).toBe(true)
  expect(stderr.endsWith(last)).toBe(true)
})

test('run --wait --json prints the ended task and nothing else', async () => {
  const { home } = await standInDaemon({
    ...created(),
    [`GET /api/tasks/${ID}/output`]: (_, response) => void response.end('hello\n'),
    [`GET /api/tasks/${ID}`]: () => ended('FAILED'),
  })
  const { code, stdout, stderr } = await run(home, ['run', 'x', '--wait', '--json'])
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ task: { session_id: ID, status: 'FAILED' }, notices: [] })
})

test('Ctrl-C ends the waiting with 130 and says that the task goes on', async () => {
  const { home } = await standInDaemon({
    ...created(),
    [`GET /api/tasks/${ID}/output`]: (_, response) => void response.write('working\n'),
  })
  const child = start(home, ['run', 'x', '--wait'])
  child.stdout.once('data', () => child.kill('SIGINT'))
  const { code, stderr } = await finished(child)
  expect(code).toBe(130)
  expect(stderr).toContain(`Stopped waiting; session ${ID} goes on.`)
})

test('Ctrl-C during any other command is 130 as well', async () => {
  const { home, asked } = await standInDaemon({ [`GET /api/tasks/${ID}`]: () => undefined })
  const child = start(home, ['status', ID])
  const done = finished(child)
  await waitFor('the question', () => asked.length > 0)
  child.kill('SIGINT')
  expect((await done).code).toBe(130)
})

test('status shows what there is to know', async () => {
  const { home } = await standInDaemon({
    [`GET /api/tasks/${ID}`]: () => ({ ...ended('FAILED'), exit_code: 3, cost_usd: 0.1, tags: ['a', 'b'] }),
  })
  const { stdout } = await run(home, ['status', ID], { env: { TZ: 'UTC' } })
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining([
      `Session:   ${ID}`,
      'Agent:     grafana-validator (scripted)',
      'Status:    FAILED',
      'Reason:    why so',
      'Exit:      code 3',
      'Created:   2025-11-18 15:30:42',
      'Started:   2025-11-18 15:30:45',
      'Elapsed:   5m 32s',
      `Tmux:      ${task.tmux_session} (active)`,
      `Workspace: ${task.workspace}`,
      'Tags:      a, b',
      'Cost:      $0.10',
    ]),
  )
  expect(JSON.parse((await run(home, ['status', ID, '--json'])).stdout)).toMatchObject({
    session_id: ID,
    exit_code: 3,
  })
})

test('how an earlier run of a session that goes on ended is not told as its end', async () => {
  const { home } = await standInDaemon({ [`GET /api/tasks/${ID}`]: () => ({ ...task, exit_signal: 'INT' }) })
  const { stdout } = await run(home, ['status', ID])
  expect(stdout).toMatch(/^Last exit: +signal INT$/m)
  expect(stdout).not.toMatch(/^Exit:/m)
})

test('list filters by status in either vocabulary, by tag and by the project around', async () => {
  const home = tempDir()
  const { asked } = await standInDaemon(
    {
      'GET /api/tasks/rows': () => ({ rows: [], totals: { total: 0 }, next: null }),
      'GET /api/workspaces': () => ({ workspaces: [{ path: '/' }, { path: home }, { path: `${home}x` }] }),
    },
    home,
  )
  const { stdout } = await run(home, ['list', '--status', 'waiting_input', '--tag', 't', '--project-only'], {
    cwd: home,
  })
  expect(stdout).toBe('No sessions found\n')
  expect(asked.at(-1)?.path).toBe(
    `/api/tasks/rows?status=waiting_input&tag=t&project=${encodeURIComponent(home)}&limit=50`,
  )
  expect(await run(home, ['list', '--status', 'DONE'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Invalid status filter: DONE (INVALID_STATUS_FILTER)'),
  })
})

test('list --parent asks the daemon for the children of one session', async () => {
  const { home, asked } = await standInDaemon({
    'GET /api/tasks/rows': () => ({ rows: [], totals: { total: 0 }, next: null }),
  })
  await run(home, ['list', '--parent', ID])
  expect(asked.at(-1)?.path).toBe(`/api/tasks/rows?parent=${ID}&limit=50`)
})

test('list --ended-since asks the daemon with a time, and does not ask for what is none', async () => {
  const { home, asked } = await standInDaemon({
    'GET /api/tasks/rows': () => ({ rows: [], totals: { total: 0 }, next: null }),
  })
  await run(home, ['list', '--ended-since', '2025-11-18T15:30:00Z'])
  expect(asked.at(-1)?.path).toBe('/api/tasks/rows?ended_since=2025-11-18T15%3A30%3A00.000Z&limit=50')
  const before = asked.length
  expect(await run(home, ['list', '--ended-since', 'soon'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Option --ended-since: 'soon' is neither a duration"),
  })
  expect(asked).toHaveLength(before)
})

test('kill without a terminal needs --force, and touches nothing before', async () => {
  const { home, asked } = await standInDaemon({ [`GET /api/tasks/${ID}`]: () => task })
  const { code, stderr } = await run(home, ['kill', ID])
  expect(code).toBe(1)
  expect(stderr).toContain('(CONFIRMATION_NEEDED)')
  expect(asked.map(({ method }) => method)).toEqual(['GET'])
})

test('kill --force is one order, and says what was ended', async () => {
  const { home, asked } = await standInDaemon({
    'POST /api/tasks/kill': bulk({ result: { already_ended: false, task } }),
  })
  const { code, stdout } = await run(home, ['kill', ID, '2025', ID, '-f', '--reason', 'enough'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: `Session killed: ${ID}\n` })
  expect(asked.map(({ body }) => body)).toEqual([{ ids: [ID, '2025'], reason: 'enough' }])
})

test('killing what has ended says so and is no failure', async () => {
  const { home } = await standInDaemon({
    [`GET /api/tasks/${ID}`]: () => ({ ...ended('COMPLETED'), completed_at: '2025-11-18T16:00:00Z' }),
    'POST /api/tasks/kill': bulk({ result: { already_ended: true, task: ended('COMPLETED') } }),
  })
  const { code, stdout } = await run(home, ['kill', ID])
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Session already terminated (status: COMPLETED)\n' })
})

test('kill --all --project-only leaves other projects alone', async () => {
  const home = tempDir()
  const here = { ...task, project: home }
  const { asked } = await standInDaemon(
    {
      'GET /api/workspaces': () => ({ workspaces: [{ path: home }] }),
      'POST /api/tasks/kill': bulk({ result: { already_ended: false, task: here } }),
    },
    home,
  )
  const { code, stdout } = await run(home, ['kill', '--all', '--project-only', '--force', '--json'], {
    cwd: home,
  })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    results: [{ already_ended: false, task: { session_id: ID } }],
    failures: [],
  })
  expect(asked.at(-1)).toMatchObject({ body: { project: home } })
})

test.each([[['kill']], [['kill', 'x', '--all']], [['kill', 'x', '--project-only']]])(
  '%j says what it misses',
  async (argv) => {
    const { home } = await standInDaemon({})
    expect(await run(home, argv)).toMatchObject({ code: 1, stderr: expect.stringContaining('(USAGE)') })
  },
)

test('logs prints output, events or operations, whole or as they come', async () => {
  const { home } = await standInDaemon({
    [`GET /api/tasks/${ID}`]: () => ended('COMPLETED'),
    [`GET /api/tasks/${ID}/output`]: (_, response) => void response.end('output\n'),
    [`GET /api/tasks/${ID}/raw`]: (_, response) => void response.end('{}\n'),
    [`GET /api/tasks/${ID}/session-log`]: (_, response) => void response.end('[t] [INFO] created\n'),
  })
  expect((await run(home, ['logs', ID])).stdout).toBe('output\n')
  expect((await run(home, ['logs', ID, '-f'])).stdout).toBe('output\n')
  expect((await run(home, ['logs', ID, '--raw'])).stdout).toBe('{}\n')
  expect((await run(home, ['logs', ID, '--session'])).stdout).toBe('[t] [INFO] created\n')
  expect(JSON.parse((await run(home, ['logs', ID, '--json'])).stdout)).toEqual({
    session_id: ID,
    text: 'output\n',
  })
  expect((await run(home, ['logs', ID, '--raw', '--session'])).code).toBe(1)
  expect((await run(home, ['logs', ID, '-f', '--json'])).code).toBe(1)
})

test('screen prints the screen, and says when it is the last one', async () => {
  const { home } = await standInDaemon({
    [`GET /api/tasks/${ID}/screen`]: () => ({ session_id: ID, screen: 'line\n\n\n', live: false }),
  })
  const { stdout, stderr } = await run(home, ['screen', ID])
  expect(stdout).toBe('line\n')
  expect(stderr).toContain('last screen')
})

test('attach without a terminal points to screen', async () => {
  const { home } = await standInDaemon({ [`GET /api/tasks/${ID}`]: () => task })
  const { code, stderr } = await run(home, ['attach', ID])
  expect(code).toBe(1)
  expect(stderr).toContain('attach needs a terminal; `holdfast screen <id>`')
})
