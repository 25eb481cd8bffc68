import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TaskListJson } from '../../src/protocol/json/task-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { finished, startWorld } from '../helpers/world.ts'

test('run takes a sentence to a result and leaves every file of the handoff directory', async () => {
  const world = await startWorld()
  const id = await world.run(
    'do: say Hello there\ndo: write made.txt by the agent\ndo: usage 10 20 0.5\ndo: finish All done',
  )
  const task = await world.untilStatus(id, 'COMPLETED')
  expect(task).toMatchObject({
    exit_code: 0,
    task_status: 'completed',
    phase: null,
    tokens_in: 10,
    tokens_out: 20,
    cost_usd: 0.5,
    tmux_active: false,
  })
  expect(readFileSync(join(world.project, 'made.txt'), 'utf8')).toContain('by the agent')
  const view = join(world.project, '.holdfast/sessions', id)
  const state = JSON.parse(readFileSync(join(view, 'state.json'), 'utf8'))
  expect(state).toMatchObject({
    session_id: id,
    agent: 'scripted',
    agent_kind: 'scripted',
    status: 'COMPLETED',
    exit_code: 0,
    parent_session: null,
  })
  expect(JSON.parse(readFileSync(join(view, 'result.json'), 'utf8'))).toMatchObject({
    status: 'success',
    result: 'All done',
  })
  expect(readFileSync(join(view, 'output.log'), 'utf8')).toContain('Hello there')
  expect(readFileSync(join(view, 'prompt.md'), 'utf8')).toContain('do: say Hello there')
  const log = readFileSync(join(view, 'session.log'), 'utf8').trimEnd().split('\n')
  for (const line of log) expect(line).toMatch(/^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\] \[(INFO|WARN|ERROR)\] /)
  expect(log[0]).toContain(`Session created: ${id}`)
  expect(log.join('\n')).toMatch(/CREATED → RUNNING[\s\S]*Exit code: 0[\s\S]*RUNNING → COMPLETED/)
  expect(lstatSync(view).mode & 0o777).toBe(0o700)
  expect(readFileSync(join(world.project, '.holdfast/.gitignore'), 'utf8')).toBe('*\n')
  expect(existsSync(join(world.home, 'tasks', id, 'env'))).toBe(false)
})

test('create starts a role from a prompt file and says how to go on', async () => {
  const world = await startWorld()
  mkdirSync(join(world.project, 'agents/reviewer'), { recursive: true })
  writeFileSync(
    join(world.project, 'agents/reviewer/reviewer-agent.md'),
    '---\ndescription: Reads code\nagent: scripted\nrestrictions:\n  - no git commits\n---\nYou are the reviewer.\n',
  )
  writeFileSync(join(world.project, 'task.md'), 'Review <session-id>.\ndo: finish reviewed\n')
  const said = await world.ok(['create', 'reviewer', 'task.md'])
  const id = /^Session created: (\S+)$/m.exec(said)?.[1]
  expect(id).toMatch(/^\d{8}-\d{6}-reviewer$/)
  expect(said).toContain(`holdfast attach ${id}`)
  const task = await world.untilStatus(id!, 'COMPLETED')
  expect(task).toMatchObject({
    agent: 'reviewer',
    agent_kind: 'scripted',
    metadata: { max_duration_seconds: 1800 },
  })
  const [told] = world.heard()
  expect(told!.heard).toMatch(
    /^You are the reviewer\.\n\n---\n\n\*\*TASK DELEGATION\*\*:\n\n[\s\S]*no git commits\n\nReview /,
  )
  expect(told!.heard).toContain(`Review ${id}.`)
  expect(await world.ok(['roles'])).toContain('reviewer')
})

test('the agent knows its task, gets what the caller passes on, and no other variable of the caller or of tmux', async () => {
  const world = await startWorld({ env: { SECRET_OF_MINE: 'x', TZ: 'UTC' } })
  const script = [
    'HOLDFAST_TASK_ID',
    'HOLDFAST_SESSION_DIR',
    'HOLDFAST_RUN',
    'TMUX',
    'SECRET_OF_MINE',
    'TZ',
    'GIVEN',
  ]
    .map((name) => `do: env ${name}`)
    .join('\n')
  const id = await world.run(script, '--env', 'GIVEN=a "b" $c')
  const task = await world.untilStatus(id, 'COMPLETED')
  const log = await world.ok(['logs', id])
  expect(log).toContain(`HOLDFAST_TASK_ID=${id}`)
  expect(log).toContain(`HOLDFAST_SESSION_DIR=${task.workspace}`)
  expect(log).toContain(`HOLDFAST_RUN=${task.run_id}`)
  expect(log).toContain('TZ=UTC')
  expect(log).toContain('GIVEN=a "b" $c')
  expect(log).not.toContain('SECRET_OF_MINE=x')
  expect(log).not.toMatch(/TMUX=\S*tmux\.sock/)
})

test('an agent’s failure and crash are failed, with the reason, and run --wait exits 2', async () => {
  const world = await startWorld()
  const failed = await world.cli(['run', 'do: fail no such file', '--wait'])
  expect(failed.code).toBe(2)
  const crashed = await world.untilStatus(await world.run('do: crash 3'), 'FAILED')
  expect(crashed).toMatchObject({ exit_code: 3, reason: expect.stringContaining('exited with code 3') })
  const killed = await world.untilStatus(await world.run('do: crash SIGKILL'), 'FAILED')
  expect(killed).toMatchObject({ exit_code: null, exit_signal: 'KILL' })
  const silent = await world.untilStatus(await world.run('do: silent-exit'), 'FAILED')
  expect(silent.reason).toContain('without a result')
})

test('run --wait shows the output as it comes and exits 0', async () => {
  const world = await startWorld()
  const script = 'do: say first\ndo: wait-for go\ndo: say second\ndo: finish bye'
  const running = world.start(['run', script, '--wait'])
  const ended = finished(running)
  let shown = ''
  running.stdout!.on('data', (text) => (shown += text))
  await waitFor('the first words', () => shown.includes('agent: first'))
  expect(shown).not.toContain('agent: second')
  writeFileSync(join(world.project, 'go'), '')
  const said = await ended
  expect(said.code).toBe(0)
  expect(said.stdout).toMatch(/first[\s\S]*second[\s\S]*bye/)
})

test('an agent’s own result.json wins over its last words', async () => {
  const world = await startWorld()
  const id = await world.run('do: result {"answer": 42}\ndo: finish words')
  const task = await world.untilStatus(id, 'COMPLETED')
  expect(JSON.parse(readFileSync(task.result_file, 'utf8'))).toEqual({ answer: 42 })
})

test('list shows a table with totals, filters in both vocabularies, and says when there are no sessions', async () => {
  const world = await startWorld()
  expect(await world.ok(['list'])).toContain('No sessions found')
  const done = await world.run('do: finish ok', '--tag', 'night')
  await world.untilStatus(done, 'COMPLETED')
  const failed = await world.run('do: fail no')
  await world.untilStatus(failed, 'FAILED')
  const table = await world.ok(['list'])
  expect(table).toMatch(/SESSION ID\s+AGENT\s+STATUS\s+STARTED\s+ELAPSED/)
  expect(table).toContain('Total: 2 sessions (1 completed, 1 failed)')
  for (const filter of ['COMPLETED', 'completed'])
    expect(
      (await world.json<TaskListJson>(['list', '--status', filter])).tasks.map((task) => task.session_id),
    ).toEqual([done])
  const list = (...flags: string[]) => world.json<TaskListJson>(['list', ...flags])
  expect(await list('--all')).toMatchObject({
    tasks: [{ session_id: failed }, { session_id: done }],
    totals: { total: 2 },
    next: null,
  })
  const first = await list('--limit', '1')
  expect(first.tasks).toMatchObject([{ session_id: failed }])
  expect(await list('--after', first.next!)).toMatchObject({ tasks: [{ session_id: done }], next: null })
  expect((await world.json<TaskListJson>(['list', '--tag', 'night'])).totals).toMatchObject({
    total: 1,
    completed: 1,
  })
  expect(await world.cli(['list', '--status', 'DONE'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Invalid status filter: DONE'),
  })
})

test('a question makes the task wait for input and gives its slot back', async () => {
  const world = await startWorld({ config: 'maxConcurrent: 1\n' })
  const asking = await world.run('do: ask Shall I? | yes | no')
  const task = await world.untilStatus(asking, 'waiting_input')
  expect(task).toMatchObject({ status: 'RUNNING', phase: 'asking', reason: 'Shall I? (yes / no)' })
  await world.untilStatus(await world.run('do: finish meanwhile'), 'COMPLETED')
})

test('a running task has a pane that shows its output, and screen prints it; an ended one keeps its last screen', async () => {
  const world = await startWorld()
  const id = await world.run('do: say visible words\ndo: wait-for go\ndo: finish done')
  await world.untilStatus(id, 'RUNNING')
  await waitFor('the words on the screen', async () =>
    (await world.cli(['screen', id])).stdout.includes('visible words'),
  )
  expect(await world.tmux('list-sessions', '-F', '#{session_name}')).toContain(`hf-${id}`)
  writeFileSync(join(world.project, 'go'), '')
  await world.untilStatus(id, 'COMPLETED')
  await waitFor(
    'the pane to close',
    async () => !(await world.tmux('list-sessions', '-F', '#{session_name}')).includes(`hf-${id}`),
  )
  expect(await world.ok(['screen', id])).toContain('visible words')
  const attach = await world.cli(['attach', id])
  expect(attach.code).toBe(1)
})

test('ids may be shortened as long as they stay clear', async () => {
  const world = await startWorld()
  const one = await world.run('do: finish 1', '--name', 'alpha')
  expect(await world.status(one.slice(0, 20))).toMatchObject({ session_id: one })
  await world.run('do: finish 2', '--name', 'alpha')
  expect(await world.cli(['status', one.slice(0, 8)])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('AMBIGUOUS_ID'),
  })
})

test('a session is reached by its name, a part of its id, and as the last one', async () => {
  const world = await startWorld()
  const one = await world.run('do: finish 1', '--name', 'alpha')
  const two = await world.run('# Look\ndo: finish 2', '--name', 'beta', '--title', 'look at the logs')
  expect(await world.status('alpha')).toMatchObject({ session_id: one, name: 'alpha', title: 'do: finish 1' })
  expect(await world.status('bet')).toMatchObject({ session_id: two, title: 'look at the logs' })
  expect(await world.status('last')).toMatchObject({ session_id: two })
  expect(await world.cli(['run', '--name', 'last', 'do: finish'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("cannot be named 'last'"),
  })
})
