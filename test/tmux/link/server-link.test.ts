import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../../helpers/is-alive.ts'
import { privateTmux, startTerminal, terminalOn } from '../../helpers/tmux-server.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { spawnTerminal } from '../spawn-terminal.ts'

const SLEEP = ['sleep', '1000']
type World = Awaited<ReturnType<typeof startTerminal>>

const kinds = ({ events }: World) => events.map(({ kind }) => kind)
const clientPid = (socket: string): number => JSON.parse(readFileSync(`${socket}.client`, 'utf8')).pid

test('a server that does not answer is never ended', async () => {
  const { terminal, serverPid } = await startTerminal({ heartbeatTimeoutMs: 300 })
  const pid = serverPid()!
  process.kill(pid, 'SIGSTOP')
  await waitFor('the silence to be noticed', () => terminal.health() === 'hung')
  await expect(terminal.stopServer()).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
  expect(isAlive(pid)).toBe(true)
  process.kill(pid, 'SIGCONT')
  await waitFor('the server to answer', () => terminal.health() === 'up')
  expect(serverPid()).toBe(pid)
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
  const pane = await terminal.open({ task: 's', mark: 'm', argv: SLEEP, cwd: dir })
  const old = clientPid(socket)
  process.kill(old, 'SIGKILL')
  await waitFor('another client', () => clientPid(socket) !== old)
  expect(await terminal.panes()).toMatchObject([{ pane }])
  await terminal.open({ task: 't', mark: 'm', argv: SLEEP, cwd: dir })
  expect(terminal.health()).toBe('up')
  expect(kinds(world)).toEqual(['server_started'])
})

test('a socket that somebody removed comes back with the next connection', async () => {
  const world = await startTerminal()
  const { terminal, socket, dir } = world
  const pane = await terminal.open({ task: 's', mark: 'm', argv: SLEEP, cwd: dir })
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
  expect(isAlive(orphan)).toBe(true)
  const { terminal, events } = terminalOn(socket)
  await terminal.start()
  expect(isAlive(orphan)).toBe(false)
  expect(await terminal.panes()).toMatchObject([{ session: 'hf-s' }])
  await waitFor('one client only', () => tmux('list-clients').split('\n').length === 1)
  expect(events).toEqual([])
})

/**
 * Like a client that connects only after its daemon was killed: it has our flags, stands in no record, and does not end. Such
 * a client ends now and then by itself; this one is stopped, so that it surely does not.
 */
async function unrecordedOrphan({ tmux, socket }: Pick<World, 'tmux' | 'socket'>): Promise<number> {
  const session = ['attach', '-E', '-t', '=holdfast-keeper', '-f', 'no-output,ignore-size']
  const orphan = spawn('tmux', ['-u', '-S', socket, '-f', '/dev/null', '-N', '-C', ...session])
  onTestFinished(() => void orphan.kill('SIGKILL'))
  await waitFor('the orphan', () => tmux('list-clients', '-F', '#{client_pid}').includes(`${orphan.pid}`))
  orphan.kill('SIGSTOP')
  return orphan.pid!
}

test('a client that connects after its daemon was killed does not keep the server from ending', async () => {
  const world = await startTerminal()
  const server = world.serverPid()!
  const orphan = await unrecordedOrphan(world)
  await world.terminal.stopServer()
  expect([isAlive(server), isAlive(orphan)]).toEqual([false, false])
  expect(existsSync(world.socket)).toBe(false)
})

test('a client that connected after its daemon was killed is ended by the next one that connects', async () => {
  const world = await startTerminal()
  const orphan = await unrecordedOrphan(world)
  const person = spawn('tmux', ['-S', world.socket, '-C', 'attach', '-t', '=holdfast-keeper'])
  onTestFinished(() => void person.kill('SIGKILL'))
  await waitFor('three clients', () => world.tmux('list-clients').split('\n').length === 3)
  const old = clientPid(world.socket)
  process.kill(old, 'SIGKILL')
  await waitFor('the orphan to be ended', () => !isAlive(orphan))
  await waitFor('the connection', () => clientPid(world.socket) !== old)
  expect(isAlive(person.pid!)).toBe(true)
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
  await terminal.open({ task: 's', mark: 'm', argv: SLEEP, cwd: dir })
  await terminal.stopServer()
  expect(isAlive(pid)).toBe(false)
  expect(existsSync(socket)).toBe(false)
  expect(existsSync(`${socket}.client`)).toBe(false)
  expect(terminal.health()).toBe('down')
  expect(kinds(world)).toEqual(['server_started'])
  const opened = terminal.open({ task: 's', mark: 'm', argv: SLEEP, cwd: dir })
  await expect(opened).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
})

test('panes are listed while there is no connection', async () => {
  const { terminal, dir, socket } = await startTerminal()
  const pane = await terminal.open({ task: 's', mark: 'm', argv: SLEEP, cwd: dir })
  const unconnected = terminalOn(socket)
  expect(await unconnected.terminal.panes()).toMatchObject([
    { pane, session: 'hf-s', mark: 'm', dead: false },
  ])
})

test('a server that was told to end, but waits for a stopped client, counts as dead', async () => {
  const world = await startTerminal()
  const { terminal, tmux, socket, dir } = world
  const old = world.serverPid()!
  await terminal.open({ task: 's', mark: 'm', argv: SLEEP, cwd: dir })
  const stuck = spawn('tmux', ['-S', socket, '-C', 'attach', '-t', '=hf-s'])
  onTestFinished(() => void stuck.kill('SIGKILL'))
  await waitFor('the other client', () => tmux('list-clients', '-t', '=hf-s') !== '')
  stuck.kill('SIGSTOP')
  tmux('kill-server')
  await waitFor('the death', () => world.events.length === 2)
  expect(isAlive(old)).toBe(true)
  stuck.kill('SIGKILL')
  await waitFor('the restart', () => world.events.length === 3)
  expect(kinds(world)).toEqual(['server_started', 'server_died', 'server_started'])
  await terminal.open({ task: 's', mark: 'm', argv: SLEEP, cwd: dir })
  expect(await terminal.panes()).toHaveLength(1)
  world.serverPid()
})
