import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ensureServer } from '../../../src/tmux/program/ensure-server.ts'
import { environOf } from '../../helpers/environ-of.ts'
import { privateTmux, startTerminal, terminalOn, trySignal } from '../../helpers/tmux-server.ts'

test('the server runs apart from us: own session, no descriptors, no variables of ours', async () => {
  const secret = openSync('/etc/passwd', 'r')
  process.env.HOLDFAST_TEST_LEAK = 'leak'
  try {
    const { serverPid } = await startTerminal({ env: process.env })
    const proc = `/proc/${serverPid()}`
    const open = readdirSync(`${proc}/fd`).map((fd) => readlinkIf(`${proc}/fd/${fd}`))
    expect(open).not.toContain('/etc/passwd')
    const names = (await environOf(serverPid()!)).map((entry) => entry.split('=')[0]!)
    expect(names.filter((name) => !['PATH', 'HOME', 'LANG', 'LC_ALL', 'TERM'].includes(name))).toEqual([])
    expect(readFileSync(`${proc}/stat`, 'utf8').split(' ')[5]).toBe(String(serverPid()))
  } finally {
    closeSync(secret)
    delete process.env.HOLDFAST_TEST_LEAK
  }
})

test('panes stay when their program ends, quietly, with a short history', async () => {
  const { tmux } = await startTerminal()
  expect(tmux('show-options', '-gwv', 'remain-on-exit')).toBe('on')
  expect(tmux('show-options', '-gwqv', 'remain-on-exit-format')).toBe('')
  expect(tmux('show-options', '-gv', 'history-limit')).toBe('2000')
})

test('a stale socket file is no obstacle', async () => {
  const { socket, serverPid } = privateTmux()
  const first = terminalOn(socket)
  await first.terminal.start()
  trySignal(serverPid()!, 'SIGKILL')
  await first.terminal.disconnect()
  const second = terminalOn(socket)
  await second.terminal.start()
  expect(second.terminal.health()).toBe('up')
  serverPid()
})

test('a socket that cannot be made is an error with a code', async () => {
  const { dir } = privateTmux()
  const { terminal } = terminalOn(join(dir, 'missing-directory', 's'))
  await expect(terminal.start()).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
  expect(terminal.health()).toBe('down')
})

test('a tmux that cannot be run is TMUX_UNAVAILABLE', async () => {
  const { socket, dir } = privateTmux()
  const { terminal } = terminalOn(socket, { tmuxPath: join(dir, 'no-tmux') })
  await expect(terminal.start()).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
  await expect(terminal.panes()).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
})

test('of two that start the server at once, one has started it, and both are in the same', async () => {
  const { socket, serverPid } = privateTmux()
  const address = { tmuxPath: 'tmux', socket, env: {} }
  const started = await Promise.all([ensureServer(address, true), ensureServer(address, true)])
  expect(started.filter((pid) => pid !== undefined)).toEqual([serverPid()])
})

test('the server outlives the terminal, and the next one finds its panes', async () => {
  const { terminal, socket, dir } = await startTerminal()
  const pane = await terminal.open({ task: 's', mark: 'm', argv: ['sleep', '1000'], cwd: dir })
  await terminal.disconnect()
  const next = terminalOn(socket)
  await next.terminal.start()
  expect(await next.terminal.panes()).toMatchObject([{ pane, session: 'hf-s', mark: 'm', dead: false }])
  expect(next.events).toEqual([])
})

test('a person who kills the keeper does no harm', async () => {
  const { terminal, tmux, dir, events } = await startTerminal()
  await terminal.open({ task: 's', mark: 'm', argv: ['sleep', '1000'], cwd: dir })
  tmux('kill-session', '-t', '=holdfast-keeper')
  expect(await terminal.readScreen('s', 'm')).toBe('')
  expect(await terminal.panes()).toHaveLength(1)
  expect(events).toEqual([{ kind: 'server_started' }])
})

function readlinkIf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
