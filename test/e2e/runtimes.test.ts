// A runtime in a real tmux, with the scripted agent: whatever is killed, it is back, and nobody edits anything.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
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

const ps = (column: string, pid: number) =>
  execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim()

/** A process and those that started it. */
function lineage(pid: number): number[] {
  const pids = [pid]
  for (let at = pid; at > 1; pids.push(at)) at = Number(ps('ppid', at))
  return pids
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
  const ofPane = async (what: string) =>
    (await world.tmux('display-message', '-p', '-t', seen.tmux_target, `#{${what}}`)).trim()
  expect(lineage(seen.pid!)).toContain(Number(await ofPane('pane_pid')))
  expect(`/dev/${ps('tty', seen.pid!)}`).toBe(await ofPane('pane_tty'))
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

test('removed with prompts that wait for it, also since a stop, it lists them, and nobody hears them', async () => {
  const world = await startWorld({ config: QUICK })
  await start(world)
  await world.ok(['send', NAME, 'do: wait-for ever', '--wait', 'submitted'])
  const queue = async (key: string) => {
    const body = { prompt: `do: write ${key}.txt heard`, key }
    // It is answered when the prompt has arrived, or after some seconds, and here the runtime is gone by then.
    world.daemon.call('POST /api/tasks/:id/inputs', { id: NAME, body }).catch(() => {})
    const { trigger_id } = await waitFor(`${key} to wait`, async () => {
      const { triggers } = await world.daemon.call('GET /api/triggers', { query: { state: 'queued' } })
      return triggers.find((one) => one.key === key)
    })
    return trigger_id
  }
  const first = await queue('one')
  await world.ok(['runtime', 'stop', NAME])
  expect(await world.ok(['trigger', 'show', first])).toMatch(
    /did not reach the agent .*`holdfast runtime start reviewer --workspace project` brings it back/s,
  )
  // It goes on with what it was about, and the prompt waits behind that again.
  await start(world)
  const second = await queue('two')

  const removed = await world.ok(['runtime', 'rm', NAME, '--force'])
  expect(removed.split('\n').slice(1, -1)).toEqual([
    '  2 prompts never reached it:',
    expect.stringMatching(`^    ${first} from .*: do: write one.txt heard$`),
    expect.stringMatching(`^    ${second} from .*: do: write two.txt heard$`),
  ])
  const failed = await world.ok(['audit', '--kind', 'trigger_failed'])
  for (const id of [first, second]) expect(failed).toContain(id)
  expect(world.heard().filter(({ heard }) => heard.includes('do: write'))).toEqual([])
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
  expect(await person.detaches()).toBe('0')
})

test('of a workspace, attach shows a runtime that is up; without one it says how to start one', async () => {
  const world = await startWorld({ config: QUICK })
  const starts = (role: string) => world.ok(['runtime', 'start', role, '--agent', 'scripted'])
  await starts('alpha')
  await starts('beta')
  await world.ok(['runtime', 'stop', 'alpha'])
  const person = personAt(world)
  person.runs('attach', 'project')
  await person.shows('beta*')
  expect(await person.detaches()).toBe('0')

  await world.ok(['runtime', 'stop', 'beta'])
  const late = personAt(world)
  late.runs('attach', 'project')
  expect(await late.exitCode()).toBe('1')
  await late.shows('No runtime of workspace project is up')
  await late.shows('holdfast runtime start alpha --workspace project')

  for (const role of ['alpha', 'beta']) await world.ok(['runtime', 'rm', role, '--force'])
  const alone = personAt(world)
  alone.runs('attach', 'project')
  expect(await alone.exitCode()).toBe('1')
  await alone.shows('holdfast runtime start <role> --workspace project')
})

test('who attaches with --read-only sees the windows, and what they type reaches no agent', async () => {
  const world = await startWorld({ config: QUICK })
  const { runtime } = await start(world)
  const person = personAt(world)
  person.runs('attach', 'project', '--read-only')
  await person.shows('1:reviewer*')
  const clients = () => world.tmux('list-clients', '-t', '=agents_project', '-F', '#{client_readonly}')
  expect((await clients()).trim()).toBe('1')
  person.types('xyzzy')
  // tmux reads keys in order: when the person has left, those before have been read.
  expect(await person.detaches()).toBe('0')
  await hears(world, 'one.txt')
  expect(await world.tmux('capture-pane', '-p', '-t', runtime.tmux_target)).not.toContain('xyzzy')
})

test('of a runtime that is stuck, list and status say that it needs you, why, and the command that answers', async () => {
  const world = await startWorld({ config: `${QUICK}stuck.after: 3s\nstuck.quiet: 3s\n`, killGrace: '3s' })
  await start(world)
  await world.ok(['send', NAME, 'do: freeze'])
  const stuck = await waitFor(
    'a person to be asked',
    async () => {
      const seen = await see(world)
      return seen.question === null || seen.state !== 'failed' ? undefined : seen
    },
    2 * PATIENCE_MS,
  )
  expect(stuck).toMatchObject({ status: 'failed', reason: expect.stringContaining('no sign of life') })
  const command = `holdfast answer ${NAME} <choice>`
  const list = await world.ok(['runtime', 'list'])
  expect(list).toMatch(/reviewer@project +failed /)
  expect(list).toContain(`${NAME} needs you: \`${command}\``)
  const status = await world.ok(['runtime', 'status', NAME])
  expect(status).toMatch(/^Needs you: +The agent is still stuck /m)
  expect(status).toContain(command)
  await world.ok(['answer', NAME, 'close'])
  await waitFor('it to be stopped', async () => (await see(world)).wanted === 'stopped', PATIENCE_MS)
  expect((await see(world)).question).toBeNull()
}, 90_000)

test('a workspace removed under a runtime: you are asked, with the choices; put right, it takes what waited', async () => {
  const world = await startWorld({ config: QUICK })
  const { runtime } = await start(world)
  rmSync(world.project, { recursive: true })
  process.kill(runtime.pid!, 'SIGKILL')
  await waitFor('a person to be asked', async () => (await see(world)).question !== null, PATIENCE_MS)
  const elsewhere = { cwd: world.root }
  const sent = await world.json<{ trigger_id: string }>(['send', NAME, 'do: write one.txt heard'], elsewhere)

  expect(await world.ok(['runtime', 'list'], elsewhere)).toMatch(
    /needs you: `holdfast answer reviewer@project <choice>`$/m,
  )
  const status = await world.ok(['runtime', 'status', NAME], elsewhere)
  expect(status).toMatch(/^Needs you: .*There is no directory/m)
  expect(status).toMatch(/^Waiting: +1 prompt,/m)
  expect(status).toContain('Choices:\n  1. resume\n  2. close\n')
  // It has no terminal.
  expect(status).not.toContain('attach')
  expect(await world.ok(['trigger', 'show', sent.trigger_id], elsewhere)).toMatch(
    /^ {2}Next: waits for your answer: `holdfast answer \S+ <choice>`\n\n/m,
  )

  mkdirSync(world.project)
  await world.ok(['answer', NAME, 'resume'])
  await waitFor('one.txt', () => textIn(world, 'one.txt').includes('heard'), PATIENCE_MS)
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
  expect(await world.ok(['runtime', 'list'])).toMatch(/^reviewer@project .* limit until \d/m)
})
