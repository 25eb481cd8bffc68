import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MonitorJson } from '../../src/protocol/json/monitor-json.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { CLI, finished, type Said, startWorld, type World } from '../helpers/world.ts'

const answerOf = ({ stdout }: Said) => JSON.parse(stdout) as MonitorJson
const outputOf = (world: World, id: string) => join(world.home, 'tasks', id, 'output.log')

/** A monitor that has begun to wait: it says what the task is doing. */
async function waiting(world: World, ...args: string[]) {
  const child = world.start(['monitor', ...args, '--verbose'])
  const ended = finished(child)
  let said = ''
  child.stderr!.on('data', (text) => (said += text))
  await waitFor('monitor to wait', () => said.includes('working'))
  return { child, ended }
}

test('monitor exits 0 when a task completes, and says where its output is', async () => {
  const world = await startWorld()
  const id = await world.run('do: say hello\ndo: wait-for go\ndo: finish done')
  const monitor = await waiting(
    world,
    id.slice(0, -2),
    '--json',
    '--workflow',
    'create',
    '--story-key',
    '5.3',
  )
  writeFileSync(join(world.project, 'go'), '')
  const said = await monitor.ended
  expect(said.code).toBe(0)
  expect(answerOf(said)).toEqual({
    final_state: 'completed',
    output_file: outputOf(world, id),
    exit_reason: 'the agent finished',
    session_id: id,
    task_status: 'completed',
    phase: null,
    phase_until: null,
    reason: 'the agent finished',
    next: { kind: 'done', what: 'nothing: it is done', at: null, question: null, runtime: null },
    question: null,
    last_words: expect.any(String),
    dir: world.project,
    workflow: 'create',
    story_key: '5.3',
  })
  expect(Object.keys(answerOf(said)).slice(0, 3)).toEqual(['final_state', 'output_file', 'exit_reason'])
  expect(readFileSync(answerOf(said).output_file!, 'utf8')).toContain('agent: hello')
  const csv = await world.cli(['monitor', id, '--csv'])
  expect(csv).toEqual({
    code: 0,
    stdout: `completed,${outputOf(world, id)},the agent finished\n`,
    stderr: '',
  })
  const plain = await world.cli(['monitor', id])
  expect(plain.stdout).toBe(`completed: ${id}\n  the agent finished\n  Output: ${outputOf(world, id)}\n`)
})

test('monitor exits 2 when a task crashed, and says how it ended', async () => {
  const world = await startWorld({ retries: 0 })
  const id = await world.run('do: crash 7')
  const said = await world.cli(['monitor', id, '--json'])
  expect(said.code).toBe(2)
  expect(answerOf(said)).toMatchObject({ final_state: 'crashed', session_id: id })
  expect(answerOf(said).exit_reason).toContain('exited with code 7')
})

test('monitor returns with a question and its options; when it is answered, the next call waits for the end', async () => {
  const world = await startWorld()
  const id = await world.run(
    'do: ask Which colour? | red | green\ndo: wait-for go\ndo: finish ok',
    '--converse',
  )
  const said = await world.cli(['monitor', id, '--json'])
  expect(said.code).toBe(2)
  expect(answerOf(said)).toMatchObject({
    final_state: 'needs_input',
    exit_reason: 'Which colour? 1. red 2. green',
    task_status: 'waiting_input',
    phase: 'asking',
    question: { number: 1, question: 'Which colour?', options: ['red', 'green'] },
  })
  const csv = await world.cli(['monitor', id, '--csv'])
  expect(csv.stdout).toBe(`needs_input,${outputOf(world, id)},Which colour? 1. red 2. green\n`)
  await world.ok(['answer', id, 'green'])
  const monitor = await waiting(world, id, '--json')
  writeFileSync(join(world.project, 'go'), '')
  await world.ok(['send', id, '--end'])
  expect(answerOf(await monitor.ended)).toMatchObject({ final_state: 'completed', question: null })
})

test('monitor exits 2 when the task is killed meanwhile, and says by whom and why', async () => {
  const world = await startWorld()
  const id = await world.run('do: hang')
  const monitor = await waiting(world, id, '--json')
  await world.ok(['kill', id, '--force', '--reason', 'wrong branch'])
  const said = await monitor.ended
  expect(said.code).toBe(2)
  expect(answerOf(said)).toMatchObject({ final_state: 'killed', task_status: 'cancelled' })
  expect(answerOf(said).exit_reason).toMatch(/^killed by .*: wrong branch$/)
})

test('monitor exits 2 with timeout when the task has used up its time', async () => {
  const world = await startWorld()
  const id = await world.run('do: hang', '--max-duration', '1s')
  const said = await world.cli(['monitor', id, '--json'])
  expect([said.code, answerOf(said).final_state]).toEqual([2, 'timeout'])
})

test('monitor stops waiting after a time or a number of looks, and the task goes on', async () => {
  const world = await startWorld()
  const id = await world.run('do: say hi\ndo: hang')
  const byTime = await world.cli(['monitor', id, '--json', '--timeout', '1s'])
  expect(byTime.code).toBe(2)
  expect(answerOf(byTime)).toMatchObject({
    final_state: 'timeout',
    exit_reason: 'not done after 1s: still working; it goes on',
    task_status: 'running',
    phase: 'working',
  })
  const byLooks = await world.cli(['monitor', id, '--csv', '--max-polls', '1'])
  expect(byLooks.stdout).toBe(
    `timeout,${outputOf(world, id)},not done after 1 poll: still working; it goes on\n`,
  )
  const talking = () => world.cli(['monitor', id, '--verbose', '--max-polls', '1'])
  await waitFor('its words', async () => (await talking()).stderr === `${id} working: hi\n`)
  expect((await world.status(id)).status).toBe('RUNNING')
})

test('monitor with workflow, story and state file decides by that step whether completed work is complete', async () => {
  const world = await startWorld()
  const state = join(world.project, 'state.yaml')
  const id = await world.run('do: finish done')
  const monitor = (step: string) =>
    world.cli([
      'monitor',
      id,
      '--json',
      '--workflow',
      step,
      '--story-key',
      '5.3',
      '--state-file',
      'state.yaml',
    ])
  writeFileSync(state, 'workflow: {steps: {create: {verify: [{file: "story-{story}.md"}]}}}\n')
  const missing = await monitor('create')
  expect([missing.code, answerOf(missing)]).toMatchObject([2, { final_state: 'incomplete', verified: false }])
  expect(answerOf(missing).exit_reason).toContain('story-5.3.md')
  writeFileSync(join(world.project, 'story-5.3.md'), 'text')
  const there = await monitor('create')
  expect([there.code, answerOf(there)]).toMatchObject([0, { final_state: 'completed', verified: true }])
  writeFileSync(state, 'workflow: {steps: {create: {verify: [{fiel: a}]}}}\n')
  const spoilt = await monitor('create')
  expect([spoilt.code, answerOf(spoilt)]).toMatchObject([2, { final_state: 'incomplete', verified: null }])
  const unknown = await monitor('review')
  expect([unknown.code, answerOf(unknown)]).toMatchObject([0, { final_state: 'completed', verified: null }])
  expect(unknown.stderr).toContain('Not verified:')
})

test('monitor of an unknown id exits 1 with the answer not_found, and prints no error', async () => {
  const world = await startWorld()
  const id = '20200101-000000-nobody'
  const said = await world.cli(['monitor', id, '--json'])
  expect([said.code, said.stderr]).toEqual([1, ''])
  expect(answerOf(said)).toMatchObject({ final_state: 'not_found', output_file: null, session_id: id })
  const csv = await world.cli(['monitor', id, '--csv'])
  expect(csv).toEqual({ code: 1, stdout: `not_found,,Session not found: ${id}\n`, stderr: '' })
})

test('options of monitor that do not fit together are refused', async () => {
  const world = await startWorld()
  const wrong = [
    [['--any', '--all'], 'Choose one of --any and --all'],
    [['--csv', '--json'], 'Choose one of --csv and --json'],
    [['--max-polls', '0'], 'takes a number of at least 1'],
    [['--ack', '7'], '--ack can only be used together with --cursor'],
  ] as const
  for (const [flags, words] of wrong) {
    const said = await world.cli(['monitor', '20200101-000000-nobody', ...flags])
    expect([said.code, said.stdout + said.stderr]).toEqual([1, expect.stringContaining(words)])
  }
})

test('monitor of several tasks returns with the first for --any, and with the last for --all', async () => {
  const world = await startWorld()
  const quick = await world.run('do: wait-for one\ndo: finish one')
  const slow = await world.run('do: wait-for two\ndo: finish two')
  const [any, all] = [
    await waiting(world, slow, quick, '--any', '--json'),
    await waiting(world, slow, quick, '--all', '--csv'),
  ]
  writeFileSync(join(world.project, 'one'), '')
  const first = answerOf(await any.ended)
  expect(first).toMatchObject({ final_state: 'completed', session_id: quick })
  expect(first.tasks).toMatchObject([
    { session_id: slow, final_state: null, exit_reason: null, task_status: 'running' },
    { session_id: quick, final_state: 'completed' },
  ])
  expect(all.child.exitCode).toBeNull()
  writeFileSync(join(world.project, 'two'), '')
  const rows = [slow, quick].map((id) => `completed,${outputOf(world, id)},the agent finished\n`)
  expect(await all.ended).toMatchObject({ code: 0, stdout: rows.join('') })
})

test('monitor of several tasks returns when one needs a decision, with the others as they are', async () => {
  const world = await startWorld()
  const working = await world.run('do: hang')
  const asking = await world.run('do: ask Go? | yes | no', '--converse')
  const said = await world.cli(['monitor', working, asking, '--json'])
  expect(said.code).toBe(2)
  const answer = answerOf(said)
  expect(answer).toMatchObject({ final_state: 'needs_input', session_id: asking })
  expect(answer.tasks!.map(({ final_state }) => final_state)).toEqual([null, 'needs_input'])
})

test('monitor starts a daemon that was killed while it waits, and still tells the end', async () => {
  const world = await startWorld()
  const id = await world.run('do: wait-for go\ndo: finish done')
  const monitor = await waiting(world, id, '--json')
  const before = world.daemonPid()
  await world.killDaemon()
  await waitFor('another daemon', () => world.daemonPid() !== before && isAlive(world.daemonPid()))
  expect(monitor.child.exitCode).toBeNull()
  writeFileSync(join(world.project, 'go'), '')
  const said = await monitor.ended
  expect([said.code, answerOf(said).final_state]).toEqual([0, 'completed'])
})

test('monitor finds a daemon that was stopped and started while it waits, and still tells the end', async () => {
  const world = await startWorld()
  const id = await world.run('do: wait-for go\ndo: finish done')
  const monitor = await waiting(world, id, '--json')
  await world.ok(['down'])
  await world.ok(['up'])
  writeFileSync(join(world.project, 'go'), '')
  const said = await monitor.ended
  expect([said.code, answerOf(said).final_state]).toEqual([0, 'completed'])
})

test('Ctrl-C ends only the waiting of monitor, with 130: the task goes on', async () => {
  const world = await startWorld()
  const id = await world.run('do: hang')
  const monitor = await waiting(world, id)
  monitor.child.kill('SIGINT')
  const said = await monitor.ended
  expect([said.code, said.stdout]).toEqual([130, ''])
  expect(said.stderr).toContain('Stopped waiting. No session was stopped.')
  expect((await world.status(id)).status).toBe('RUNNING')
})

test('with --bell the terminal rings when the session is done, and without it does not', async () => {
  const world = await startWorld()
  const id = await world.run('do: finish ok')
  const inTerminal = (...more: string[]) =>
    execFileSync('script', ['-qec', [process.execPath, CLI, 'monitor', id, ...more].join(' '), '/dev/null'], {
      cwd: world.project,
      env: world.env,
      encoding: 'utf8',
    })
  expect(inTerminal('--bell')).toContain('\x07')
  expect(inTerminal()).not.toContain('\x07')
})
