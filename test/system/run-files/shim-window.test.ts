import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { LaunchFiles } from '../../../src/ports/run/run-files.ts'
import { exec } from '../../../src/system/processes/exec.ts'
import { readStat } from '../../../src/system/processes/proc-stat.ts'
import { LinuxProcesses } from '../../../src/system/processes/processes.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import {
  commands,
  killIfThere,
  programPath,
  type RunWorld,
  readIfThere,
  runWorld,
  SHELLS,
} from '../run-world.ts'

const processes = new LinuxProcesses()
const EXPLAINED = 'Ctrl-C again within 2 s interrupts the agent'

/** A private tmux server with one pane. */
async function pane(world: RunWorld, argv: readonly string[]) {
  const tmux = async (...args: string[]) => {
    const env = { PATH: world.path, TERM: 'xterm', LANG: 'C.UTF-8' }
    const { code, stdout, stderr } = await exec(
      ['tmux', '-S', `${world.root}/t`, '-f', '/dev/null', ...args],
      { env },
    )
    if (code !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`)
    return stdout
  }
  onTestFinished(() =>
    tmux('kill-server').then(
      () => {},
      () => {},
    ),
  )
  await tmux('new-session', '-d', '-x', '150', '-y', '30', '-s', 'test', '--', ...argv)
  return {
    tmux,
    sees: (text: string) =>
      waitFor(`'${text}' on the screen`, async () => (await tmux('capture-pane', '-p')).includes(text)),
    press: (key: string) => tmux('send-keys', key),
    /** Slow machines may take longer than two seconds between two keys, so it presses on. */
    pressUntil: async (key: string, text: string) => {
      let screen = ''
      const pressed = waitFor(`'${text}' after ${key}`, async () => {
        await tmux('send-keys', key)
        screen = await tmux('capture-pane', '-p')
        return screen.includes(text)
      })
      await pressed.catch((cause) => {
        throw new Error(`${cause.message}; the screen shows:\n${screen.trim()}`, { cause })
      })
    },
  }
}

async function paneOf(world: RunWorld, argv: readonly string[], more: Partial<LaunchFiles> = {}) {
  const launch = world.launch(argv, more)
  const screen = await pane(world, await world.files.prepare(launch))
  const agent = await world.started(launch.runId)
  await waitFor('the tail', () => tailOf(world))
  return { runId: launch.runId, agent, ...screen }
}

const tailOf = (world: RunWorld) =>
  commands().find(({ args }) => args.includes('-F') && args.includes(`${world.root}/output.log`))?.pid

describe.each(SHELLS)('the window under %s', (shell) => {
  test('shows the readable log from its beginning and as it grows', async () => {
    const world = runWorld(shell)
    appendFileSync(`${world.root}/output.log`, 'the beginning\n')
    const { sees } = await paneOf(world, ['sleep', '60'])
    await sees('the beginning')
    appendFileSync(`${world.root}/output.log`, 'and more\n')
    await sees('and more')
  })

  test('explains the first Ctrl-C and interrupts the agent at the second', async () => {
    const world = runWorld(shell)
    const { runId, agent, press, pressUntil, sees } = await paneOf(world, ['sleep', '60'])
    await press('C-c')
    await sees(EXPLAINED)
    expect(processes.isAlive(agent)).toBe(true)
    await pressUntil('C-c', 'The agent was interrupted')
    expect(await world.exited(runId)).toMatchObject({ code: null, signal: 'INT' })
    expect(tailOf(world)).toBeDefined()
    await pressUntil('C-c', 'The agent is not running')
  })

  test('a pane that only shows can do the same', async () => {
    const world = runWorld(shell)
    const { runId } = await world.run(['sleep', '60'])
    await world.started(runId)
    appendFileSync(`${world.root}/output.log`, 'hello\n')
    const { press, pressUntil, sees } = await pane(world, world.files.windowArgv(runId))
    await sees('hello')
    await press('C-c')
    await sees(EXPLAINED)
    await pressUntil('C-c', 'The agent was interrupted')
    expect(await world.exited(runId)).toMatchObject({ signal: 'INT' })
  })

  test('interrupts an agent whose name is made to look like other fields of its stat', async () => {
    const world = runWorld(shell)
    const hostile = `${world.root}/a) R 1\n2 (b) S`
    symlinkSync(programPath('sleep'), hostile)
    const { runId, agent, press, pressUntil, sees } = await paneOf(world, [hostile, '60'])
    await waitFor('exec', () => readIfThere(`/proc/${agent.pid}/comm`)?.startsWith('a) R 1\n'))
    await press('C-c')
    await sees(EXPLAINED)
    await pressUntil('C-c', 'The agent was interrupted')
    expect(await world.exited(runId)).toMatchObject({ signal: 'INT' })
  })

  test('never signals a stranger who got the pid', async () => {
    const world = runWorld(shell)
    const { runId, press, pressUntil, sees } = await paneOf(world, ['sleep', '60'])
    const stranger = someSleep()
    const { startTicks } = await waitFor('the stranger', () => readStat(stranger.pid!))
    writeFileSync(`${world.home.run(runId)}/pid`, `${stranger.pid} ${startTicks - 1} ${processes.bootId}\n`)
    await press('C-c')
    await sees(EXPLAINED)
    await pressUntil('C-c', 'The agent is not running')
    expect(processes.isAlive({ pid: stranger.pid!, startTicks })).toBe(true)
  })

  test('shows nothing of how a conversation ended', async () => {
    const world = runWorld(shell)
    const { runId, agent, sees, tmux } = await paneOf(world, ['cat'], { hearing: 'lines' })
    const { pid } = await waitFor('the feeder', () => world.files.feeder(runId))
    process.kill(agent.pid, 'SIGKILL')
    await waitFor('the feeder to end', () => !existsSync(`/proc/${pid}`))
    appendFileSync(`${world.root}/output.log`, 'the end\n')
    await sees('the end')
    expect((await tmux('capture-pane', '-p')).trim()).toBe('the end')
  })

  test('ends with its pane, and the tail with it, while the agent goes on', async () => {
    const world = runWorld(shell)
    const { runId, agent, tmux } = await paneOf(world, ['sleep', '60'])
    await tmux('kill-session', '-t', '=test')
    await nothingShows(world)
    expect(processes.isAlive(agent)).toBe(true)
    expect(await world.files.exit(runId)).toBeUndefined()
  })

  test('ends when the tmux server is killed, and the agent finishes and is recorded', async () => {
    const world = runWorld(shell)
    const work = ['sh', '-c', 'until [ -e go ]; do sleep 0.02; done; echo done']
    const { runId, tmux } = await paneOf(world, work)
    process.kill(Number(await tmux('display-message', '-p', '#{pid}')), 'SIGKILL')
    await nothingShows(world)
    writeFileSync(`${world.work}/go`, '')
    expect(await world.exited(runId)).toMatchObject({ code: 0 })
    expect(await world.events(runId)).toBe('done\n')
  })
})

test('a Ctrl-C long after the first explains again', async () => {
  const world = runWorld('dash')
  setTime(world, 1000)
  const { agent, press, sees, tmux } = await paneOf(world, ['sleep', '60'])
  await press('C-c')
  await sees(EXPLAINED)
  setTime(world, 1003)
  await press('C-c')
  await waitFor(
    'the second explanation',
    async () => (await tmux('capture-pane', '-p')).split(EXPLAINED).length === 3,
  )
  expect(processes.isAlive(agent)).toBe(true)
})

test('a window that is told to end takes its tail along', async () => {
  const world = runWorld('dash')
  const { runId } = await paneOf(world, ['sleep', '60'])
  process.kill(await world.stage('window', runId), 'SIGTERM')
  await waitFor('the tail to end', () => tailOf(world) === undefined)
})

const nothingShows = (world: RunWorld) =>
  waitFor(
    'pane, window and tail to end',
    () =>
      commands().every(
        ({ args }) => !/^(pane|window)$/.test(args[2] ?? '') || !args[3]?.startsWith(world.root),
      ) && tailOf(world) === undefined,
  )

function someSleep(): ChildProcess {
  const child = spawn('sleep', ['60'])
  onTestFinished(() => killIfThere(child.pid!))
  return child
}

/** Puts a `date` first on the PATH. */
function setTime(world: RunWorld, seconds: number): void {
  writeFileSync(`${world.root}/bin/date`, `#!/bin/sh\necho ${seconds}\n`)
  chmodSync(`${world.root}/bin/date`, 0o755)
}
