// Orders for many sessions at once: what a person and a program are told, and when the daemon goes away half way.
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { aTaskJson } from '../../builders/task-json.ts'
import { builtCli } from '../built-cli.ts'
import { type Asked, bulk, standInDaemon } from '../stand-in-daemon.ts'

const { run } = builtCli()
const ids = Array.from({ length: 1000 }, (_, n) => `20251118-153042-task-${n}`)
const killed = (id: string) => ({ result: { already_ended: false, task: aTaskJson({ session_id: id }) } })
const progress = (done: number) => ({ progress: { done, total: ids.length } })
const failure = { session_id: ids[7]!, code: 'STORE_LOCKED', message: 'The store is locked.' }

/** Half of it is told; then the connection ends, cleanly or not. */
const breaksOff =
  (how: 'end' | 'destroy') =>
  (_: Asked, response: ServerResponse): undefined => {
    const lines = [...ids.slice(0, 400).map(killed), progress(400)]
    response.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), () => {
      if (how === 'end') response.end()
      else response.socket?.destroy()
    })
  }

test('kill --all of a thousand sessions is one question with one summary, and names what failed', async () => {
  const { home, asked } = await standInDaemon({
    'POST /api/tasks/kill': bulk(progress(0), ...ids.slice(8).map(killed), { failure }, progress(1000)),
  })
  const { code, stdout, stderr } = await run(home, ['kill', '--all', '--force'])
  expect(stdout).toBe('992 sessions killed\n')
  expect(stderr.trim().split('\n')).toEqual([`Failed: ${ids[7]}: The store is locked. (STORE_LOCKED)`])
  expect(code).toBe(2)
  expect(asked).toHaveLength(1)
  const json = await run(home, ['kill', '--all', '--force', '--json'])
  expect(JSON.parse(json.stdout).results).toHaveLength(992)
  expect(JSON.parse(json.stdout).failures).toEqual([failure])
})

test.each(['end', 'destroy'] as const)(
  'a daemon that goes away half way (%s): it is said how far it came, and to ask again',
  async (how) => {
    const { home } = await standInDaemon({ 'POST /api/tasks/kill': breaksOff(how) })
    const { code, stderr } = await run(home, ['kill', '--all', '--force'])
    expect(code).toBe(2)
    expect(stderr).toContain(
      '400 of 1000 sessions were killed. Run the command again for the others. (DAEMON_UNREACHABLE)',
    )
    const json = await run(home, ['kill', '--all', '--force', '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'DAEMON_UNREACHABLE' } })
  },
)

test('a daemon that goes away half way: sessions that failed are named, and do not count as killed', async () => {
  const lines = [progress(400), ...ids.slice(8, 407).map(killed), { failure }]
  const { home } = await standInDaemon({
    'POST /api/tasks/kill': (_, response) =>
      void response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
  })
  const { code, stderr } = await run(home, ['kill', '--all', '--force'])
  expect(code).toBe(2)
  expect(stderr).toContain(`Failed: ${ids[7]}: The store is locked. (STORE_LOCKED)\n`)
  expect(stderr).toContain(
    '399 of 1000 sessions were killed, 1 failed. Run the command again for the others. (DAEMON_UNREACHABLE)',
  )
})

test('kill --all asks first, so that it needs --force without a terminal', async () => {
  const tasks = ids.slice(0, 100).map((session_id) => aTaskJson({ session_id }))
  const { home } = await standInDaemon({
    'GET /api/tasks/active': () => ({ tasks, totals: { total: 1000 }, next: 'x' }),
  })
  expect(await run(home, ['kill', '--all'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('(CONFIRMATION_NEEDED)'),
  })
})

test('archive and unpark --all tell of many in one line, of few by name', async () => {
  const archived = (id: string, before = false) => ({
    result: { already_archived: before, task: aTaskJson({ session_id: id }) },
  })
  const { home, asked } = await standInDaemon({
    'POST /api/tasks/archive': bulk(...ids.map((id, n) => archived(id, n < 3))),
    'POST /api/parks/unpark': bulk(
      { result: { opened: 'limit:x' } },
      ...ids.map((id) => ({ result: { session_id: id } })),
    ),
  })
  expect((await run(home, ['archive', ...ids])).stdout).toBe(
    '997 sessions archived, 3 were already archived\n',
  )
  expect(asked.map(({ body }) => body)).toEqual([{ ids }])
  expect((await run(home, ['unpark', '--all'])).stdout).toBe('1000 sessions go on\n')
  const json = await run(home, ['unpark', '--all', '--json'])
  expect(JSON.parse(json.stdout)).toEqual({ opened: ['limit:x'], tasks: ids, failures: [] })
})

test('an order for one session that fails is that error', async () => {
  const refused = { session_id: 'x', code: 'TASK_ACTIVE', message: 'Session x has not ended.' }
  const { home } = await standInDaemon({ 'POST /api/tasks/archive': bulk({ failure: refused }) })
  expect(await run(home, ['archive', 'x'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('Error: Session x has not ended. (TASK_ACTIVE)'),
  })
})

test('a session that an order failed for is named with what can be done instead', async () => {
  const refused = {
    session_id: 'x',
    code: 'TASK_ACTIVE',
    message: 'Session x has not ended: end it first.',
    ways_out: [{ do: 'kill', session_id: 'x' }],
  }
  const daemon = (...lines: object[]) => standInDaemon({ 'POST /api/tasks/archive': bulk(...lines) })
  const { home: alone } = await daemon({ failure: refused })
  expect((await run(alone, ['archive', 'x'])).stderr).toContain('Try:   `holdfast kill x` ends it now.')
  const { home } = await daemon({ failure: refused }, { failure: refused })
  expect((await run(home, ['archive', 'x', 'y'])).stderr).toContain(
    'Failed: x: Session x has not ended: end it first. (TASK_ACTIVE); `holdfast kill x` ends it now\n',
  )
})

test('an order of which all failed does not say that there was nothing to do', async () => {
  const { home } = await standInDaemon({
    'POST /api/tasks/removable': () => ({ count: 2 }),
    'POST /api/tasks/remove': bulk({ failure }, { failure }),
    'POST /api/parks/unpark': bulk({ failure }, { failure }),
  })
  const pruned = await run(home, ['prune', '--older-than', '30d', '--force'])
  expect(pruned).toMatchObject({ code: 2, stdout: 'No session was removed\n' })
  expect(await run(home, ['unpark', '--all'])).toMatchObject({ code: 2, stdout: 'No session was unparked\n' })
})
