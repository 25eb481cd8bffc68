// Going down with its terminal is not finishing: a new one when the tmux server died, a question when a person closed it.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TaskListJson } from '../../src/protocol/json/task-json.ts'
import { agentPid, anotherAgent, letGoOn, recovering, textIn, untilPhase, words } from '../helpers/faults.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { signal, type World } from '../helpers/world.ts'

const interactive = ['--mode', 'interactive']
const DAEMON = join(import.meta.dirname, '../../dist/daemon.js')
const KILLER = join(import.meta.dirname, '../helpers/kill-at-write.mjs')

/** What it does when its terminal goes away: leave in order, as some agents do, or die of it. */
const MANNERS = { 'leaves in order': 'do: heed-hup\n', 'dies of it': '' }
const manners = Object.keys(MANNERS) as (keyof typeof MANNERS)[]

const SERVER_DEATHS = {
  'kill-server': async (world: World) => void (await world.tmux('kill-server')),
  'kill -9': async (world: World) => process.kill(await world.tmuxPid(), 'SIGKILL'),
}
const deaths = Object.keys(SERVER_DEATHS) as (keyof typeof SERVER_DEATHS)[]

const CLOSINGS = ['kill-session', 'kill-pane'] as const

/** `retries: 0`: recovery that is switched off does not make an end of it either. */
const settings = [10, 0]

const idleOne = async (world: World, manner: keyof typeof MANNERS) => {
  const id = await world.run(`${MANNERS[manner]}do: say ready`, ...interactive)
  await untilPhase(world, id, 'idle')
  return id
}

const workingOne = async (world: World, manner: keyof typeof MANNERS) => {
  const id = await world.run(
    `${MANNERS[manner]}do: append done.txt one\ndo: wait-for go\ndo: append done.txt two`,
    ...interactive,
  )
  await waitFor('the first step', () => textIn(world, 'done.txt') === 'one\n', 30_000)
  await untilPhase(world, id, 'working')
  return id
}

test.each(
  manners.flatMap((manner) => deaths.flatMap((death) => settings.map((n) => [manner, death, n] as const))),
)(
  'an idle agent that %s gets a new terminal when tmux dies by %s (retries: %i)',
  { timeout: 60_000 },
  async (manner, death, retries) => {
    const world = await recovering('', { retries })
    const id = await idleOne(world, manner)
    const before = await agentPid(world, id)
    await SERVER_DEATHS[death](world)
    await anotherAgent(world, id, before)
    const task = await untilPhase(world, id, 'idle')
    expect(task).toMatchObject({ status: 'RUNNING', retries: 0, questions: [] })
    expect(world.heard()).toHaveLength(1)
  },
)

test.each(manners)(
  'an agent in its turn that %s is resumed in a new terminal when tmux dies',
  { timeout: 60_000 },
  async (manner) => {
    const world = await recovering()
    const id = await workingOne(world, manner)
    const before = await agentPid(world, id)
    await world.tmux('kill-server')
    await anotherAgent(world, id, before)
    letGoOn(world)
    await untilPhase(world, id, 'idle')
    expect(textIn(world, 'done.txt')).toBe('one\ntwo\n')
  },
)

const cases = manners.flatMap((manner) =>
  CLOSINGS.flatMap((closing) =>
    (['idle', 'working'] as const).map((phase) => [phase, manner, closing] as const),
  ),
)
test.each(cases)(
  'an agent that is %s and %s is asked about when a person closes its terminal by %s',
  { timeout: 60_000 },
  async (phase, manner, closing) => {
    const world = await recovering()
    const id = await (phase === 'idle' ? idleOne : workingOne)(world, manner)
    const { tmux_session } = await world.status(id)
    await world.tmux(closing, '-t', closing === 'kill-pane' ? `=${tmux_session}:` : `=${tmux_session}`)
    const task = await untilPhase(world, id, 'stopped_by_person')
    expect(task).toMatchObject({
      task_status: 'waiting_input',
      questions: [{ options: ['resume', 'close'] }],
    })
    expect(task.reason).toContain('its terminal was closed')
    await world.ok(['answer', id, 'resume'])
    letGoOn(world)
    await untilPhase(world, id, 'idle')
    if (phase === 'working') expect(textIn(world, 'done.txt')).toBe('one\ntwo\n')
  },
)

test('who kills the shell around an idle agent has not finished its work', { timeout: 60_000 }, async () => {
  const world = await recovering()
  const id = await idleOne(world, 'leaves in order')
  const before = await agentPid(world, id)
  const { run_id } = await world.status(id)
  const shells = world
    .processes()
    .filter((pid) => words(pid).includes('tty') && words(pid).join().includes(run_id!))
  signal(Math.min(...shells), 'SIGKILL')
  await anotherAgent(world, id, before)
  expect(await untilPhase(world, id, 'idle')).toMatchObject({ status: 'RUNNING', questions: [] })
})

test.each([
  ['when tmux dies', (world: World) => world.tmux('kill-server'), 'idle'],
  [
    'when a person closes it',
    async (world: World, name: string) => world.tmux('kill-session', '-t', `=${name}`),
    'stopped_by_person',
  ],
] as const)(
  'an agent that lives on without its terminal is ended %s, and not left working for nobody',
  { timeout: 60_000 },
  async (_, end, phase) => {
    const world = await recovering()
    const id = await world.run('do: ignore-hup\ndo: say ready', ...interactive)
    const { tmux_session } = await untilPhase(world, id, 'idle')
    const before = await agentPid(world, id)
    await end(world, tmux_session)
    await waitFor('the agent without a terminal to be ended', () => !isAlive(before), 30_000)
    const task = await untilPhase(world, id, phase)
    if (phase === 'idle') expect(await agentPid(world, id)).not.toBe(before)
    else expect(task.reason).toContain('its terminal was closed')
  },
)

test.each(manners)(
  'daemon and tmux die before the start of an agent that %s is stored: it is resumed, not “stopped by a person”',
  { timeout: 60_000 },
  async (manner) => {
    const world = await recovering()
    await daemonThatDiesAtAdoption(world)
    const script = `${MANNERS[manner]}do: append done.txt one`
    await world.cli(['run', '--file', '-', ...interactive], { input: script })
    const isAgent = (pid: number) => words(pid).some((word) => word.endsWith('scripted-agent.js'))
    const agent = await waitFor('the agent', () => world.processes().find(isAgent))
    process.kill(await world.tmuxPid(), 'SIGKILL')
    await waitFor('the agent to go with its terminal', () => !isAlive(agent))
    const { tasks } = await world.json<TaskListJson>(['list'])
    const id = tasks[0]!.session_id
    const task = await untilPhase(world, id, 'idle')
    expect(task).toMatchObject({ status: 'RUNNING', questions: [] })
    expect(textIn(world, 'done.txt')).toBe('one\n')
    expect(await world.ok(['why', id])).not.toContain('person')
  },
)

/** It dies just before it stores that an agent runs, whose process is on disk by then. */
async function daemonThatDiesAtAdoption(world: World): Promise<void> {
  mkdirSync(world.home, { mode: 0o700 })
  const NODE_OPTIONS = `--import=${KILLER}`
  const KILL_AT_WRITE_LOG = join(world.root, 'writes.log')
  const env = { ...world.env, NODE_OPTIONS, KILL_AT_WRITE_LOG, KILL_AFTER_PID: join(world.home, 'runs') }
  spawn(process.execPath, [DAEMON, '--home', world.home], { env, stdio: 'ignore' })
  await waitFor('the daemon', () => existsSync(join(world.home, 'daemon.sock')), 20_000)
}
