import { readdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { homePaths } from '../../src/domain/names/home.ts'
import { aQuestionJson } from '../builders/question-json.ts'
import { aTaskJson } from '../builders/task-json.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { builtCli, finished } from './built-cli.ts'
import { refuse, standInDaemon } from './stand-in-daemon.ts'

const { run, start } = builtCli()
const ID = aTaskJson().session_id

test('version and help are answers', async () => {
  const home = tempDir()
  expect(await run(home, ['--version'])).toEqual({ code: 0, stdout: 'holdfast 1.2.3\n', stderr: '' })
  expect(await run(home, ['help', 'run'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('--max-duration'),
  })
})

test('`holdfast` alone shows the everyday commands, and starts no daemon for it', async () => {
  const home = tempDir()
  const page = await run(home, [])
  expect(page).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Start here:') })
  expect(page.stdout).not.toContain('Needs you now')
  expect(readdirSync(home)).toEqual([])
})

test('`holdfast` alone ends with what needs you now', async () => {
  const of = (session_id: string, number: number) => ({
    ...aQuestionJson({ question: 'May I?', number }),
    agent: 'pi',
    session_id,
  })
  const questions = [of('one', 1), of('two', 1), of('two', 2), ...[3, 4, 5].map((n) => of(`${n}`, 1))]
  const { home } = await standInDaemon({ 'GET /api/questions': () => ({ questions }) })
  const { stdout } = await run(home, [])
  const news = stdout.slice(stdout.indexOf('Needs you now'))
  expect(news.replace(/asked .* ago/g, 'asked … ago').split('\n')).toEqual([
    'Needs you now (6):',
    '  one asked … ago: May I?',
    '    holdfast answer one <choice>',
    '  two asked … ago: May I?',
    '    holdfast answer two --question 1 <choice>',
    '  two asked … ago: May I?',
    '    holdfast answer two --question 2 <choice>',
    '  3 asked … ago: May I?',
    '    holdfast answer 3 <choice>',
    '  4 asked … ago: May I?',
    '    holdfast answer 4 <choice>',
    '  … and 1 more: holdfast questions',
    '',
  ])
})

test('`holdfast` alone tells what ended within a day, what failed first, above what needs you', async () => {
  const ended = (session_id: string, status: 'COMPLETED' | 'FAILED' | 'KILLED') =>
    aTaskJson({ session_id, status, completed_at: '2025-11-18T02:14:00Z' })
  const rows = [ended('a-1', 'KILLED'), ...[2, 3, 4, 5].map((n) => ended(`b-${n}`, 'COMPLETED'))]
  const totals = { total: 8, created: 0, running: 0, asking: 0, completed: 6, failed: 1, killed: 1 }
  const { home, asked } = await standInDaemon({
    'GET /api/tasks/rows': () => ({ rows: [...rows, ended('c-6', 'FAILED')], totals, next: null }),
    'GET /api/questions': () => ({
      questions: [{ ...aQuestionJson({ question: 'May I?' }), agent: 'pi', session_id: 'one' }],
    }),
  })
  const { stdout } = await run(home, [], { env: { TZ: 'UTC' } })
  const news = stdout.slice(stdout.indexOf('Ended within'))
  expect(news.split('\n').slice(0, 10)).toEqual([
    'Ended within a day (1 failed, 6 completed, 1 killed):',
    '  c-6  FAILED     11-18 02:14  Check the dashboards',
    '    holdfast why c-6',
    ...[2, 3, 4, 5].map((n) => `  b-${n}  COMPLETED  11-18 02:14  Check the dashboards`),
    '  … and 3 more: holdfast list --ended-since 24h',
    '',
    'Needs you now (1):',
  ])
  const { searchParams } = new URL(asked.find(({ path }) => path.includes('rows'))?.path ?? '', 'http://x')
  const hoursAgo = (Date.now() - Date.parse(searchParams.get('ended_since') ?? '')) / 3_600_000
  expect(hoursAgo).toBeCloseTo(24, 1)
})

test('`holdfast` alone says when nobody watches, and when it does not know what needs you', async () => {
  const { home, stop } = await standInDaemon({
    'GET /api/questions': (_, response) => refuse(response, 'STORE_UNREACHABLE', 503),
  })
  expect((await run(home, [])).stdout).toMatch(
    /What needs you is not known: says STORE_UNREACHABLE \(STORE_UNREACHABLE\)\n.+\n$/,
  )
  await stop()
  writeFileSync(homePaths(home).lock, '')
  expect((await run(home, [])).stdout).toMatch(
    /\n\nNo daemon is running: nobody watches your sessions\. Start it: holdfast up\n$/,
  )
})

test('`holdfast` alone does not wait long for a daemon that does not answer, and says so', async () => {
  const { home } = await standInDaemon({
    'GET /api/questions': () => undefined,
    'GET /api/tasks/rows': () => undefined,
  })
  const from = performance.now()
  expect((await run(home, [])).stdout).toMatch(/the daemon has not answered yet\. Look: holdfast doctor\n$/)
  // A client waits five seconds before it looks for the daemon.
  expect(performance.now() - from).toBeLessThan(5_000)
})

test('an error is one sentence with its code and a way out, and sets the exit code', async () => {
  expect(await run(tempDir(), ['statsu'])).toEqual({
    code: 1,
    stdout: '',
    stderr: `Error: Unknown command 'statsu'. Did you mean 'status'? (USAGE)
Try:   See \`holdfast --help\` or \`holdfast <command> --help\`.
`,
  })
})

test('with --json an error is JSON on stdout, with the same exit code', async () => {
  const { home } = await standInDaemon({})
  const { code, stdout, stderr } = await run(home, ['status', 'nobody', '--json'])
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(JSON.parse(stdout)).toEqual({
    error: { code: 'TASK_NOT_FOUND', message: 'says TASK_NOT_FOUND', hint: expect.any(String), ways_out: [] },
  })
  expect(JSON.parse((await run(home, ['--json', 'nonsense'])).stdout).error.code).toBe('USAGE')
})

test('what nobody foresaw is called a bug and exits 2', async () => {
  const { home } = await standInDaemon({ [`GET /api/tasks/${ID}`]: (_, response) => void response.end('{') })
  const { code, stderr } = await run(home, ['status', ID])
  expect(code).toBe(2)
  expect(stderr).toMatch(/\(INTERNAL\)\nTry: .*bug in Holdfast/)
})

test('a reader that has seen enough ends the list quietly', async () => {
  const tasks = Array.from({ length: 20_000 }, () => aTaskJson())
  const totals = {
    total: tasks.length,
    created: 0,
    running: tasks.length,
    asking: 0,
    completed: 0,
    failed: 0,
    killed: 0,
  }
  const { home } = await standInDaemon({ 'GET /api/tasks/rows': () => ({ rows: tasks, totals }) })
  const child = start(home, ['list'])
  child.stdout.once('data', () => child.stdout.destroy())
  expect(await finished(child)).toMatchObject({ code: 0, stderr: '' })
})

test('a daemon of another version is told of once on stderr, and never with --json', async () => {
  const other = (_: unknown, response: { setHeader(name: string, value: string): void }) => {
    response.setHeader('x-holdfast-version', '9.9.9')
    return aTaskJson()
  }
  const { home } = await standInDaemon({ [`GET /api/tasks/${ID}`]: other })
  expect((await run(home, ['status', ID])).stderr).toBe(
    'The daemon has version 9.9.9, this command has version 1.2.3. Restart the daemon with `holdfast down && holdfast up`.\n',
  )
  expect((await run(home, ['status', ID, '--json'])).stderr).toBe('')
})

test('every request says who asks, from which version, and from inside which run', async () => {
  const { home, asked } = await standInDaemon({ [`GET /api/tasks/${ID}`]: () => aTaskJson() })
  await run(home, ['status', ID], { env: { HOLDFAST_RUN: 'run-7\n' } })
  expect(asked[0]?.headers).toMatchObject({
    'x-holdfast-version': '1.2.3',
    'x-holdfast-run': 'run-7?',
    'x-holdfast-actor': expect.stringMatching(/^\S+$/),
  })
})

test('a home that is too long, or a file, is an error before anything is started', async () => {
  const home = tempDir()
  expect(await run(home, ['--home', `/tmp/${'x'.repeat(120)}`, 'list'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('(HOME_PATH_TOO_LONG)'),
  })
  expect(await run(home, ['--home', process.execPath, 'list'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('(HOME_NOT_WRITABLE)'),
  })
})

test('a daemon that cannot start is an execution failure, with what it said', async () => {
  const { code, stderr } = await run(tempDir(), ['list'])
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /^Error: The daemon ended with exit code 1 while it started. \(DAEMON_UNREACHABLE\)\n/,
  )
  expect(stderr).toContain('Cannot find module')
})
