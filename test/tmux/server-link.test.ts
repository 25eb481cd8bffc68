import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { LaunchUncertain } from '../../src/ports/terminal.ts'
import { isRunning, privateTmux, startTerminal, terminalOn, trySignal } from '../helpers/tmux-server.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { spawnTerminal } from './spawn-terminal.ts'

const SLEEP = ['sleep', '1000']
type World = Awaited<ReturnType<typeof startTerminal>>

const kinds = ({ events }: World) => events.map(({ kind }) => kind)
const clientPid = (socket: string): number => JSON.parse(readFileSync(`${socket}.client`, 'utf8')).pid

async function killServer(world: World): Promise<void> {
  const told = world.events.length
  process.kill(world.serverPid()!, 'SIGKILL')
  await waitFor('the death and what follows', () => world.events.length >= told + 2)
}

test('a server killed with -9 is told once, restarted, and usable again', async () => {
  const world = await startTerminal()
  const { terminal, dir } = world
  for (const name of ['a', 'b', 'c']) await terminal.open({ name, mark: name, argv: SLEEP, cwd: dir })
  await killServer(world)
  expect(world.events).toEqual([
    { kind: 'server_started' },
    { kind: 'server_died', deaths: 1 },
    { kind: 'server_started' },
  ])
  expect(await terminal.panes()).toEqual([])
  await terminal.open({ name: 'a', mark: 'again', argv: SLEEP, cwd: dir })
  expect(await terminal.panes()).toMatchObject([{ name: 'a', mark: 'again' }])
  world.serverPid()
})

test('three deaths within ten minutes, and it stays down until somebody starts it again', async () => {
  const world = await startTerminal()
  const { terminal, dir } = world
  for (let i = 0; i < 3; i++) await killServer(world)
  expect(world.events.slice(-2)).toEqual([
    { kind: 'server_died', deaths: 3 },
    { kind: 'server_given_up', deaths: 3 },
  ])
  expect(terminal.health()).toBe('given_up')
  const opened = terminal.open({ name: 'a', mark: 'm', argv: SLEEP, cwd: dir })
  await expect(opened).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
  expect(await terminal.panes()).toEqual([])
  expect(await terminal.readScreen('a', 'm')).toBeUndefined()
  await terminal.close('a', 'm')
  expect(world.serverPid()).toBeUndefined()
  await terminal.start()
  expect(terminal.health()).toBe('up')
  world.serverPid()
})

test('deaths that lie further apart do not add up', async () => {
  const world = await startTerminal()
  for (let i = 0; i < 4; i++) {
    await killServer(world)
    world.clock.skip(6 * 60_000)
  }
  expect(world.events.filter(({ kind }) => kind === 'server_died')).toEqual(
    [1, 2, 2, 2].map((deaths) => ({ kind: 'server_died', deaths })),
  )
  expect(world.terminal.health()).toBe('up')
  world.serverPid()
})

test('a stopped server is reported as hung, never killed, and heard of when it answers', async () => {
  const world = await startTerminal({ heartbeatTimeoutMs: 1_000 })
  const { terminal, dir } = world
  const pid = world.serverPid()!
  process.kill(pid, 'SIGSTOP')
  const uncertain = terminal.open({ name: 'queued', mark: 'm', argv: SLEEP, cwd: dir })
  await expect(uncertain).rejects.toBeInstanceOf(LaunchUncertain)
  expect(terminal.health()).toBe('hung')
  const refused = terminal.open({ name: 'refused', mark: 'm', argv: SLEEP, cwd: dir })
  await expect(refused).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
  await expect(terminal.panes()).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
  await expect(terminal.stopServer()).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
  expect(isRunning(pid)).toBe(true)
  process.kill(pid, 'SIGCONT')
  await waitFor('the server to answer', () => terminal.health() === 'up')
  expect(kinds(world)).toEqual(['server_started', 'server_hung', 'server_answers'])
  expect((await terminal.panes()).map(({ name }) => name)).toEqual(['queued'])
  expect(world.serverPid()).toBe(pid)
})

test('a server that is already stopped when we start is reported, waited for, and taken on when it answers', async () => {
  const { terminal, socket, serverPid } = await startTerminal()
  const pid = serverPid()!
  await terminal.disconnect()
  process.kill(pid, 'SIGSTOP')
  const next = terminalOn(socket, { heartbeatTimeoutMs: 300 })
  await next.terminal.start()
  expect(next.terminal.health()).toBe('hung')
  process.kill(pid, 'SIGCONT')
  await waitFor('the server to answer', () => next.terminal.health() === 'up')
  expect(next.events.map(({ kind }) => kind)).toEqual(['server_hung', 'server_answers'])
  expect(serverPid()).toBe(pid)
})

test('a control client killed with -9 is replaced without a word', async () => {
  const world = await startTerminal()
  const { terminal, socket, dir } = world
  const pane = await terminal.open({ name: 's', mark: 'm', argv: SLEEP, cwd: dir })
  const old = clientPid(socket)
  process.kill(old, 'SIGKILL')
  await waitFor('another client', () => clientPid(socket) !== old)
  expect(await terminal.panes()).toMatchObject([{ pane }])
  await terminal.open({ name: 't', mark: 'm', argv: SLEEP, cwd: dir })
  expect(terminal.health()).toBe('up')
  expect(kinds(world)).toEqual(['server_started'])
})

test('a socket that somebody removed comes back with the next connection', async () => {
  const world = await startTerminal()
  const { terminal, socket, dir } = world
  const pane = await terminal.open({ name: 's', mark: 'm', argv: SLEEP, cwd: dir })
  rmSync(socket)
  process.kill(clientPid(socket), 'SIGKILL')
  await waitFor('the socket', () => existsSync(socket))
  await waitFor('the connection', () => terminal.health() === 'up')
  expect(await terminal.panes()).toMatchObject([{ pane }])
  expect(kinds(world)).toEqual(['server_started'])
})

test('the client of a daemon killed with -9 is ended by the next one, even if it cannot end itself', async () => {
  const { dir, socket, serverPid, tmux } = privateTmux()
  const holder = await spawnTerminal(dir, socket, 's', ...SLEEP)
  serverPid()
  const orphan = clientPid(socket)
  process.kill(orphan, 'SIGSTOP')
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  expect(isRunning(orphan)).toBe(true)
  const { terminal, events } = terminalOn(socket)
  await terminal.start()
  expect(isRunning(orphan)).toBe(false)
  expect(await terminal.panes()).toMatchObject([{ name: 's' }])
  await waitFor('one client only', () => tmux('list-clients').split('\n').length === 1)
  expect(events).toEqual([])
})

test('a stranger who got the old pid is left alone', async () => {
  const { socket } = privateTmux()
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  writeFileSync(`${socket}.client`, JSON.stringify({ pid: process.pid, startTicks: 1, bootId }))
  const { terminal } = terminalOn(socket)
  await terminal.start()
  expect(terminal.health()).toBe('up')
})

test('a deliberate stop is no death: server gone, socket gone, nobody told', async () => {
  const world = await startTerminal()
  const { terminal, socket, dir } = world
  const pid = world.serverPid()!
  await terminal.open({ name: 's', mark: 'm', argv: SLEEP, cwd: dir })
  await terminal.stopServer()
  expect(isRunning(pid)).toBe(false)
  expect(existsSync(socket)).toBe(false)
  expect(existsSync(`${socket}.client`)).toBe(false)
  expect(terminal.health()).toBe('down')
  expect(kinds(world)).toEqual(['server_started'])
  const opened = terminal.open({ name: 's', mark: 'm', argv: SLEEP, cwd: dir })
  await expect(opened).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
})

test('panes are listed in one fork while there is no connection', async () => {
  const { terminal, dir, socket } = await startTerminal()
  const pane = await terminal.open({ name: 's', mark: 'm', argv: SLEEP, cwd: dir })
  const unconnected = terminalOn(socket)
  expect(await unconnected.terminal.panes()).toMatchObject([{ pane, name: 's', mark: 'm', dead: false }])
})

test('a server that was told to end, but waits for a stopped client, counts as dead', async () => {
  const world = await startTerminal()
  const { terminal, tmux, socket, dir } = world
  const old = world.serverPid()!
  await terminal.open({ name: 's', mark: 'm', argv: SLEEP, cwd: dir })
  const stuck = spawn('tmux', ['-S', socket, '-C', 'attach', '-t', '=s'])
  onTestFinished(() => void stuck.kill('SIGKILL'))
  await waitFor('the other client', () => tmux('list-clients', '-t', '=s') !== '')
  stuck.kill('SIGSTOP')
  tmux('kill-server')
  await waitFor('the death', () => world.events.length === 2)
  expect(isRunning(old)).toBe(true)
  stuck.kill('SIGKILL')
  await waitFor('the restart', () => world.events.length === 3)
  expect(kinds(world)).toEqual(['server_started', 'server_died', 'server_started'])
  await terminal.open({ name: 's', mark: 'm', argv: SLEEP, cwd: dir })
  expect(await terminal.panes()).toHaveLength(1)
  world.serverPid()
})

test('a listener that fails keeps nobody from hearing', async () => {
  const { socket, serverPid } = privateTmux()
  const { terminal } = terminalOn(socket)
  const heard: string[] = []
  terminal.onEvent(() => {
    throw new Error('a broken listener')
  })
  const off = terminal.onEvent(({ kind }) => void heard.push(kind))
  await terminal.start()
  expect(heard).toEqual(['server_started'])
  off()
  trySignal(serverPid()!, 'SIGKILL')
  await waitFor('the restart', () => serverPid())
  expect(heard).toEqual(['server_started'])
})
