import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { LaunchFiles } from '../../../src/ports/run/run-files.ts'
import { LinuxProcesses } from '../../../src/system/processes/processes.ts'
import { privateTmux, trySignal } from '../../helpers/tmux-server.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { marked, type RunWorld, readIfThere, runWorld, SHELLS } from '../run-world.ts'

const processes = new LinuxProcesses()
/** Draws `ready`, then waits for the end. */
const WAITING = ['sh', '-c', 'echo ready; exec sleep 60']

/** A private tmux server whose panes stay when their program ends. */
function terminal(world: RunWorld) {
  const { tmux, serverPid } = privateTmux(world.root)
  tmux('new-session', '-d', '-s', 'keeper', '--', 'cat', '-')
  tmux('set-option', '-g', 'remain-on-exit', 'on', ';', 'set-option', '-g', 'remain-on-exit-format', '')
  const screen = () => tmux('capture-pane', '-p', '-J', '-S', '-', '-t', '=run:')
  return {
    tmux,
    screen,
    serverPid: serverPid()!,
    open: (argv: readonly string[]) =>
      void tmux('new-session', '-d', '-s', 'run', '--', 'env', `PATH=${world.path}`, ...argv),
    sees: (text: string) => waitFor(`'${text}' on the screen`, () => screen().includes(text)),
    /** A server of this version may miss a death until the next SIGCHLD. */
    status: () =>
      waitFor('the dead pane', () => {
        trySignal(serverPid()!, 'SIGCHLD')
        return tmux('list-panes', '-t', '=run:', '-F', '#{pane_dead_status}')
      }),
  }
}

async function paneOf(world: RunWorld, argv: readonly string[], more: Partial<LaunchFiles> = {}) {
  const launch = world.launch(argv, { hearing: 'terminal', ...more })
  const pane = terminal(world)
  pane.open(await world.files.prepare(launch))
  const agent = await world.started(launch.runId)
  return { runId: launch.runId, agent, ...pane }
}

describe.each(SHELLS)('the terminal under %s', (shell) => {
  test('is the agent’s: it draws, hears keys, and its exit is recorded and shown to tmux', async () => {
    const world = runWorld(shell)
    const ask = 'test -t 0 && test -t 1 && test -t 2 && echo Name? >&2; read -r name; echo Hi $name; exit 5'
    const { runId, tmux, sees, status } = await paneOf(world, ['sh', '-c', ask], { stdin: '{}\n' })
    await sees('Name?')
    tmux('send-keys', '-t', '=run:', 'Ada', 'Enter')
    await sees('Hi Ada')
    expect(await world.exited(runId)).toMatchObject({ code: 5, signal: null, bootId: processes.bootId })
    expect(await status()).toBe('5')
    expect(await world.events(runId)).toBe('')
    expect(readFileSync(world.files.inputFile(runId), 'utf8')).toBe('{}\n')
  })

  test('gives the agent its own environment, with the pane’s TERM and nothing else of tmux', async () => {
    const world = runWorld(shell)
    const env = { PATH: process.env.PATH ?? '', KEPT: 'a\nb\\', TERM: 'dumb', COLORTERM: 'truecolor' }
    const tell = `fs.writeFileSync('seen', JSON.stringify(process.env))`
    const { runId } = await paneOf(world, [process.execPath, '-e', tell], { env })
    expect(await world.exited(runId)).toMatchObject({ code: 0 })
    const { SHLVL: _bashAddsIt, ...seen } = JSON.parse(readFileSync(`${world.work}/seen`, 'utf8'))
    expect(seen).toEqual({
      ...env,
      TERM: expect.stringMatching(/^(tmux|screen)/),
      PWD: world.work,
      PATH: `${world.home.bin}:${env.PATH}`,
      HOLDFAST_HOME: world.home.home,
      HOLDFAST_RUN: runId,
      HOLDFAST_TASK_ID: '20251118-153042-test',
      HOLDFAST_SESSION_DIR: `${world.root}/session`,
    })
  })

  test('the agent is in the foreground, with default signals, and alone carries the marker', async () => {
    const world = runWorld(shell)
    const { runId, agent, sees } = await paneOf(world, WAITING)
    await sees('ready')
    await waitFor('its sleep', () => readIfThere(`/proc/${agent.pid}/stat`)?.includes('(sleep) S'))
    expect(processes.isAlive(agent)).toBe(true)
    const [, , , , group, , , foreground] = readFileSync(`/proc/${agent.pid}/stat`, 'utf8').split(' ')
    expect(group).toBe(foreground)
    // tmux itself lets its panes ignore TTIN and TTOU.
    expect(readFileSync(`/proc/${agent.pid}/status`, 'utf8')).toMatch(/SigBlk:\t0+\nSigIgn:\t0+[03]00000\n/)
    expect(readdirSync(`/proc/${agent.pid}/fd`)).toEqual(['0', '1', '2'])
    for (const fd of [0, 1, 2]) expect(readlinkSync(`/proc/${agent.pid}/fd/${fd}`)).toMatch(/^\/dev\/pts\//)
    const shim = await world.stage('tty', runId)
    expect(readlinkSync(`/proc/${shim}/exe`)).toContain(shell)
    expect(marked(shim)).toBe(false)
    expect((await processes.carrying([runId])).get(runId)?.map(({ pid }) => pid)).toEqual([agent.pid])
  })

  test.each([
    ['leaves by itself', ['send-keys', '-t', '=run:', 'x', 'Enter'], false],
    ['goes down with its terminal', ['kill-session', '-t', '=run'], true],
    ['goes down with the server', ['kill-server'], true],
  ] as const)('the record of one that %s says so, though it exits 0', async (_, command, hangup) => {
    const world = runWorld(shell)
    const script = 'trap "exit 0" HUP; echo ready; read -r line; exit 0'
    const { runId, tmux, sees } = await paneOf(world, ['sh', '-c', script])
    await sees('ready')
    tmux(...command)
    expect(await world.exited(runId)).toMatchObject({ code: 0, hangup })
  })

  test('the record of one around which the shell was killed says so, also before tmux has noticed', async () => {
    const world = runWorld(shell)
    const script = 'trap "exit 0" HUP; echo ready; read -r line; exit 0'
    const { runId, tmux, sees, serverPid } = await paneOf(world, ['sh', '-c', script])
    await sees('ready')
    const outer = Number(tmux('display-message', '-p', '-t', '=run:', '#{pane_pid}'))
    process.kill(serverPid, 'SIGSTOP')
    onTestFinished(() => trySignal(serverPid, 'SIGCONT'))
    process.kill(outer, 'SIGKILL')
    expect(await world.exited(runId)).toMatchObject({ code: 0, hangup: true })
  })

  test('Ctrl-C is the agent’s alone', async () => {
    const world = runWorld(shell)
    const script = 'trap "echo not yet" INT; echo ready; until [ -e go ]; do sleep 0.02; done; exit 4'
    const { runId, tmux, sees } = await paneOf(world, ['sh', '-c', script])
    await sees('ready')
    tmux('send-keys', '-t', '=run:', 'C-c')
    await sees('not yet')
    writeFileSync(`${world.work}/go`, '')
    expect(await world.exited(runId)).toMatchObject({ code: 4 })
  })

  test.each(['INT', 'KILL'])(
    'an agent that dies of SIG%s is recorded, and the screen is left as it was',
    async (signal) => {
      const world = runWorld(shell)
      const { runId, agent, screen, sees, status } = await paneOf(world, WAITING)
      await sees('ready')
      process.kill(agent.pid, `SIG${signal}` as NodeJS.Signals)
      expect(await world.exited(runId)).toMatchObject({ code: null, signal })
      await status()
      expect(screen().trim()).toBe('ready')
    },
  )

  test('an agent whose pane is closed ends with it and is recorded', async () => {
    const world = runWorld(shell)
    const { runId, tmux, sees } = await paneOf(world, WAITING)
    await sees('ready')
    tmux('kill-session', '-t', '=run')
    expect(await world.exited(runId)).toMatchObject({ code: null, signal: 'HUP' })
  })

  test('an agent that takes its leave when the tmux server is killed is recorded with its own code', async () => {
    const world = runWorld(shell)
    const script = 'trap "exit 3" HUP; echo ready; while :; do sleep 0.02; done'
    const { runId, serverPid, sees } = await paneOf(world, ['sh', '-c', script])
    await sees('ready')
    process.kill(serverPid, 'SIGKILL')
    expect(await world.exited(runId)).toMatchObject({ code: 3, signal: null })
  })

  test('when the shell that leads the pane is killed, the agent ends and is recorded', async () => {
    const world = runWorld(shell)
    const { runId, tmux, sees } = await paneOf(world, WAITING)
    await sees('ready')
    process.kill(Number(tmux('list-panes', '-t', '=run:', '-F', '#{pane_pid}')), 'SIGKILL')
    expect(await world.exited(runId)).toMatchObject({ code: null, signal: 'HUP' })
  })

  test('a run whose claim is taken never starts', async () => {
    const world = runWorld(shell)
    const launch = world.launch(['touch', 'ran'], { hearing: 'terminal' })
    const argv = await world.files.prepare(launch)
    expect(await world.files.claim(launch.runId)).toBe(true)
    const { open, status } = terminal(world)
    open(argv)
    expect(await status()).toBe('1')
    expect(existsSync(`${world.work}/ran`)).toBe(false)
  })

  test('a run whose start was voided never starts and leaves no exit record', async () => {
    const world = runWorld(shell)
    const launch = world.launch(['touch', 'ran'], { hearing: 'terminal' })
    const argv = await world.files.prepare(launch)
    expect(await world.files.voidStart(launch.runId)).toBe(true)
    const { open, status } = terminal(world)
    open(argv)
    expect(await status()).toBe('126')
    expect(await world.files.exits()).toEqual([])
    expect(existsSync(`${world.work}/ran`)).toBe(false)
  })

  test('a program that is missing is told on the screen and by the exit code', async () => {
    const world = runWorld(shell)
    const { runId, sees } = await paneOf(world, ['no-such-agent'])
    expect(await world.exited(runId)).toMatchObject({ code: 127 })
    await sees('no-such-agent')
  })
})
