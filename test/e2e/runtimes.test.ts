// A runtime in a real tmux, with the scripted agent: whatever is killed, it is back, and nobody edits anything.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type {
  RuntimeDetailJson,
  RuntimeJson,
  RuntimeStartedJson,
  RuntimeStoppedJson,
} from '../../src/protocol/json/runtime-json.ts'
import type { TaskJson } from '../../src/protocol/json/task-json.ts'
import { textIn } from '../helpers/faults.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { personAt } from '../helpers/person.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const QUICK = 'runtime.grace: 200ms\nreconcile.interval: 500ms\n'
const NAME = 'reviewer@project'
const PATIENCE_MS = 30_000

const start = (world: World, ...flags: string[]) =>
  world.json<RuntimeStartedJson>(['runtime', 'start', 'reviewer', '--agent', 'scripted', ...flags])

const see = (world: World): Promise<RuntimeDetailJson> =>
  world.daemon.call('GET /api/runtimes/:id', { id: NAME })

/** Ready, with another process than before. */
const back = (world: World, before: number | null) =>
  waitFor(
    'the runtime to be back',
    async () => {
      const runtime = await see(world)
      return runtime.state === 'ready' && runtime.pid !== null && runtime.pid !== before ? runtime : undefined
    },
    PATIENCE_MS,
  )

const windows = async (world: World) =>
  (await world.tmux('list-windows', '-t', '=agents_project', '-F', '#{window_name}')).trim().split('\n')

async function hears(world: World, file: string): Promise<void> {
  await world.ok(['send', NAME, `do: write ${file} heard`])
  await waitFor(file, () => textIn(world, file).includes('heard'), PATIENCE_MS)
}

test('a runtime is started with its seed prompt in its window, found up the next time, and told things by its name', async () => {
  const world = await startWorld({ config: QUICK })
  const { how, runtime } = await start(world, '--seed', 'do: write seed.txt planted')
  expect(how).toBe('registered')
  expect(runtime).toMatchObject({
    agent_id: NAME,
    status: 'ready',
    state: 'ready',
    wanted: 'up',
    tmux_session: 'agents_project',
    tmux_window: 'reviewer',
    tmux_pane: 0,
    tmux_target: 'agents_project:reviewer.0',
    agent_kind: 'scripted',
    operator_busy: false,
  })
  await waitFor('the seed', () => textIn(world, 'seed.txt').includes('planted'), PATIENCE_MS)
  expect((await start(world)).how).toBe('already_up')
  await hears(world, 'one.txt')
  expect(await windows(world)).toEqual(['bootstrap', 'reviewer'])
  const pid = await world.tmux('display-message', '-p', '-t', runtime.tmux_target, '#{pane_pid}')
  expect(Number(pid)).toBeGreaterThan(1)
  for (const name of [NAME, runtime.runtime_id, runtime.tmux_target]) {
    expect(await world.status(name)).toMatchObject({ runtime: NAME, tmux_session: 'agents_project' })
    expect(await world.ok(['screen', name])).toContain('heard')
  }
  expect((await world.json<{ tasks: TaskJson[] }>(['list'])).tasks).toEqual([])
  expect((await world.json<{ tasks: TaskJson[] }>(['list', '--runtimes'])).tasks).toHaveLength(1)
})

test('the registry says who it is, where it works, which session its agent has, and what it was told last', async () => {
  const world = await startWorld({ config: QUICK })
  const { runtime } = await start(world, '--seed', 'do: say hello')
  const { workspaces } = await world.daemon.call('GET /api/workspaces')
  const sent = await world.json<{ trigger_id: string }>(['send', NAME, 'do: say more'])
  await waitFor('the prompt to be taken', async () => {
    const { last_trigger_id, state } = await see(world)
    return last_trigger_id === sent.trigger_id && state === 'ready'
  })
  await world.ok(['heartbeat', NAME, '--status', 'idle'])
  const seen = await see(world)
  expect(seen).toMatchObject({
    runtime_id: runtime.runtime_id,
    agent_id: NAME,
    workspace_id: workspaces.find(({ path }) => path === world.project)?.id,
    tmux_target: `${seen.tmux_session}:${seen.tmux_window}.${seen.tmux_pane}`,
    status: 'ready',
    operator_busy: false,
    last_heartbeat_status: 'idle',
    last_heartbeat_at: expect.stringMatching(/Z$/),
    last_trigger_id: sent.trigger_id,
  })
  expect(seen.workspace_id).toBeDefined()
  // The agent itself shows its session in its title, and its process holds the pane.
  expect(await world.ok(['screen', NAME])).toContain(`scripted agent ${seen.session_id}`)
  expect(isAlive(seen.pid!)).toBe(true)
  const { runtimes } = await world.json<{ runtimes: RuntimeJson[] }>(['runtime', 'list'])
  const { transitions, ...row } = seen
  expect(runtimes).toEqual([row])
  expect(transitions.length).toBeGreaterThan(0)
})

test('a stop presses Ctrl-C, gives it its grace, and kills what does not heed that', async () => {
  const world = await startWorld({ config: QUICK, killGrace: '3s' })
  const { runtime } = await start(world, '--seed', 'do: ignore-term\ndo: write heedless.txt yes')
  await waitFor('it to heed no signal', () => existsSync(join(world.project, 'heedless.txt')), PATIENCE_MS)
  await waitFor('its turn to be over', async () => (await see(world)).phase === 'idle', PATIENCE_MS)
  const askedAt = Date.now()
  const stopping = world.json<RuntimeStoppedJson>(['runtime', 'stop', NAME])
  const screen = () => world.tmux('capture-pane', '-p', '-t', runtime.tmux_target)
  await waitFor('Ctrl-C', async () => (await screen()).includes('Press Ctrl-C again to exit'))
  expect(isAlive(runtime.pid!)).toBe(true)
  expect((await stopping).runtime).toMatchObject({ state: 'offline', pid: null })
  expect(Date.now() - askedAt).toBeGreaterThanOrEqual(3000)
  expect(isAlive(runtime.pid!)).toBe(false)
})

test('killed agents, panes and sessions come back, also when the daemon was killed meanwhile', async () => {
  const world = await startWorld({ config: QUICK })
  const { runtime } = await start(world)
  await hears(world, 'one.txt')

  process.kill(runtime.pid!, 'SIGKILL')
  const second = await back(world, runtime.pid)
  await hears(world, 'two.txt')

  await world.tmux('kill-pane', '-t', runtime.tmux_target)
  const third = await back(world, second.pid)
  await hears(world, 'three.txt')

  await world.tmux('kill-session', '-t', '=agents_project')
  const fourth = await back(world, third.pid)
  expect(await windows(world)).toEqual(['bootstrap', 'reviewer'])
  await hears(world, 'four.txt')

  await world.killDaemon()
  process.kill(fourth.pid!, 'SIGKILL')
  const fifth = await back(world, fourth.pid)
  await hears(world, 'five.txt')

  expect(fifth.runtime_id).toBe(runtime.runtime_id)
  expect(fifth.drifts).toBeGreaterThanOrEqual(2)
  expect(fifth.restarts).toBeGreaterThanOrEqual(4)
  const said = world.heard().map(({ heard }) => heard)
  for (const file of ['one', 'two', 'three', 'four', 'five'])
    expect(said.filter((text) => text.includes(`do: write ${file}.txt heard`))).toHaveLength(1)
})

test('stopped it stays down, started it goes on, removed it is forgotten; kill --all leaves it', async () => {
  const world = await startWorld({ config: QUICK })
  const { runtime } = await start(world)
  await world.ok(['kill', '--all', '--force'])
  expect((await see(world)).state).toBe('ready')
  expect(await world.cli(['kill', NAME, '--force'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('RUNTIME_STANDS'),
  })

  const stopped = await world.json<RuntimeStoppedJson>(['runtime', 'stop', NAME])
  expect(stopped).toMatchObject({
    already_stopped: false,
    runtime: { wanted: 'stopped', state: 'offline', status: 'offline', pid: null },
  })
  expect(isAlive(runtime.pid!)).toBe(false)
  expect((await world.json<RuntimeStoppedJson>(['runtime', 'stop', NAME])).already_stopped).toBe(true)
  expect(await world.cli(['workspace', 'rm', 'project'])).toMatchObject({
    code: 1,
    // The one command that helps: a stopped runtime keeps its place.
    stderr: expect.stringMatching(/WORKSPACE_IN_USE.*holdfast runtime rm /s),
  })

  const again = await start(world)
  expect(again).toMatchObject({
    how: 'brought_back',
    runtime: { runtime_id: runtime.runtime_id, state: 'ready' },
  })
  await hears(world, 'again.txt')
  const restarted = await world.json<{ runtime: RuntimeJson }>(['runtime', 'restart', NAME])
  expect(restarted.runtime).toMatchObject({ state: 'ready', runtime_id: runtime.runtime_id })
  expect(restarted.runtime.pid).not.toBe(again.runtime.pid)
  await hears(world, 'anew.txt')

  await world.ok(['runtime', 'rm', NAME, '--force'])
  expect((await world.json<{ runtimes: RuntimeJson[] }>(['runtime', 'list'])).runtimes).toEqual([])
  await waitFor('the session of the workspace to be closed', async () => {
    const sessions = await world.tmux('list-sessions', '-F', '#{session_name}')
    return !sessions.includes('agents_project')
  })
  expect(await world.cli(['send', NAME, 'hello'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('RUNTIME_NOT_FOUND'),
  })
  expect(await world.cli(['send', 'agents_project:reviewer.0', 'hello'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('FALLBACK_REQUIRED'),
  })
})

test('a pane in our tmux server that Holdfast did not start is refused, and nothing is typed into it', async () => {
  const world = await startWorld({ config: QUICK })
  const { runtime } = await start(world)
  const opened = ['-d', '-P', '-F', '#{pane_id}', '-c', world.project]
  const inWindow = await world.tmux('new-window', '-t', '=agents_project:', '-n', 'theirs', ...opened, 'cat')
  const inSplit = await world.tmux('split-window', '-t', '=agents_project:reviewer', ...opened, 'cat')
  const alone = await world.tmux('new-session', '-s', 'mine', '-n', 'work', ...opened, 'cat')
  const targets = ['agents_project:theirs.0', 'agents_project:reviewer.1', 'mine:work.0']
  const panes = [inWindow, inSplit, alone].map((id) => id.trim())
  for (const target of [...targets, ...panes]) {
    const said = await world.cli(['send', target, 'do: say hello', '--json'])
    expect([target, said.code, JSON.parse(said.stdout).error.code]).toEqual([target, 1, 'FALLBACK_REQUIRED'])
    expect(JSON.parse(said.stdout).error.hint).toContain('holdfast runtime start')
  }
  expect((await world.daemon.call('GET /api/triggers', { query: {} })).triggers).toEqual([])
  await world.ok(['send', runtime.tmux_target, 'do: write ours.txt heard'])
  await waitFor('ours.txt', () => textIn(world, 'ours.txt').includes('heard'), PATIENCE_MS)
  // What is typed there would be shown by the terminal itself.
  for (const pane of panes) expect((await world.tmux('capture-pane', '-p', '-t', pane)).trim()).toBe('')
})

test('a person can attach to the session of a workspace and see the windows of all its runtimes', async () => {
  const world = await startWorld({ config: QUICK })
  await start(world)
  await world.ok(['runtime', 'start', 'tester', '--agent', 'scripted'])
  expect(await windows(world)).toEqual(['bootstrap', 'reviewer', 'tester'])
  const panes = await world.tmux(
    'list-panes',
    '-s',
    '-t',
    '=agents_project',
    '-F',
    '#{window_name} #{pane_dead}',
  )
  expect(panes.trim().split('\n')).toEqual(['bootstrap 0', 'reviewer 0', 'tester 0'])
  const person = personAt(world)
  person.runs('attach', 'project')
  await person.shows('agents_project')
  await person.shows('2:tester')
  person.types('x')
  await waitFor('the person to be noticed', async () => (await see(world)).operator_busy || undefined)
  const tester = await world.daemon.call('GET /api/runtimes/:id', { id: 'tester@project' })
  expect(tester.operator_busy).toBe(false)
  person.types('BSpace')
  person.types('C-b', 'd')
  expect(await person.exitCode()).toBe('0')
})

test('a runtime that cannot start because of a usage limit says so, until when, and stands behind its gate', async () => {
  const world = await startWorld({ config: `${QUICK}runtime.startTimeout: 1s\n` })
  const limited = await world.run('do: limit 3600')
  await waitFor('the limit', async () => (await world.status(limited)).phase === 'parked')
  const said = await world.cli(['runtime', 'start', 'reviewer', '--agent', 'scripted'])
  expect(said).toMatchObject({ code: 2, stderr: expect.stringContaining('RUNTIME_NOT_READY') })
  const runtime = await see(world)
  expect(runtime).toMatchObject({ state: 'starting', pid: null, waits_for: 'limit' })
  const { gates } = await world.daemon.call('GET /api/parks')
  expect(gates.map(({ waiting, until }) => [waiting, until])).toEqual([
    [[limited, runtime.task_id], runtime.waits_until],
  ])
  expect(await world.ok(['runtime', 'status', NAME])).toMatch(/^Waits: +limit until /m)
})
