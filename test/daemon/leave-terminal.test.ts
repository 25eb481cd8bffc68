import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { leaveTerminal } from '../../src/daemon/leave-terminal.ts'
import { aRun } from '../builders/run.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { privateTmux, startTerminal, terminalOn } from '../helpers/tmux-server.ts'
import { waitFor } from '../helpers/wait-for.ts'

const withoutRuns = { openRuns: async () => [] }
const withARun = { openRuns: async () => [aRun()] }

test('a tmux server without runs and panes is ended', async () => {
  const { terminal, serverPid, socket } = await startTerminal()
  const pid = serverPid()!
  await leaveTerminal(terminal, withoutRuns)
  expect(isAlive(pid)).toBe(false)
  expect(existsSync(socket)).toBe(false)
})

test('a tmux server that is just being started is ended, too', async () => {
  const { socket, serverPid } = privateTmux()
  const { terminal } = terminalOn(socket)
  const starting = terminal.startOrKeepTrying()
  const pid = await waitFor('the server to be there', serverPid)
  expect(terminal.health()).toBe('down')
  await leaveTerminal(terminal, withoutRuns)
  await starting
  expect(isAlive(pid)).toBe(false)
})

test('a tmux server with a pane, or with a run that may have one soon, goes on', async () => {
  const { terminal, serverPid, dir, socket } = await startTerminal()
  await leaveTerminal(terminal, withARun)
  const next = terminalOn(socket).terminal
  await next.start()
  await next.open({ task: 's', mark: 'm', argv: ['sleep', '1000'], cwd: dir })
  await leaveTerminal(next, withoutRuns)
  expect(isAlive(serverPid()!)).toBe(true)
})

test('a tmux server goes on when the store cannot tell about runs', async () => {
  const { terminal, serverPid } = await startTerminal()
  await leaveTerminal(terminal, { openRuns: () => Promise.reject(new Error('no store')) })
  expect(isAlive(serverPid()!)).toBe(true)
  expect(terminal.health()).toBe('down')
})
