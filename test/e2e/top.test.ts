// The board in a real terminal, with a real daemon and real agents.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { boardOf } from '../helpers/board.ts'
import { privateTmux } from '../helpers/tmux-server.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { CLI, signal, startWorld } from '../helpers/world.ts'

test('the board shows what needs a person first; a question is answered there, and its dialog closes', async () => {
  const world = await startWorld()
  const asking = await world.run(
    'do: ask Which colour? | red | green\ndo: wait-for go',
    ...['--mode', 'interactive', '--name', 'painter'],
  )
  await world.run('do: hang', '--name', 'worker')
  await world.run('do: finish well done', '--name', 'ender', '--wait')
  await world.untilStatus(asking, 'waiting_input')
  const board = await boardOf(world)
  const shown = await board.until(/NEEDS YOU 1\n▸ \? painter .* Which colour\?\nAT WORK 1\n {2}● worker /)
  expect(shown).toMatch(/DONE 1\n {2}✓ ender +completed/)
  expect(shown).toMatch(/1 needs you · 1 at work · 0 waiting · 1 done +live/)
  await board.until(/1\. red\n.*2\. green/)
  board.types('a')
  await board.until('Answer (number or text)')
  board.types('2', 'Enter')
  await board.until('The dialog closed')
  await board.until(/AT WORK 2/)
  expect((await world.status(asking)).questions).toEqual([])
  writeFileSync(join(world.project, 'go'), '')
  await board.until(/WAITING 1\n▸ ○ painter +idle/)
  board.types('q')
  await board.until('exit=0')
  await board.hasTerminalBack()
})

test('a filter narrows the board; kill asks, and only a yes kills', async () => {
  const world = await startWorld()
  const kept = await world.run('do: hang', '--name', 'kept')
  const doomed = await world.run('do: hang', '--name', 'doomed')
  const board = await boardOf(world)
  await board.until(/AT WORK 2/)
  board.types('/')
  await board.until('Filter:')
  board.types('d', 'o', 'o', 'm')
  await board.until(/AT WORK 1\n▸ ● doomed/)
  board.types('Enter')
  await board.until('filter: doom (Esc clears)')
  board.types('k')
  await board.until(`Kill ${doomed}? [y/N]`)
  board.types('n')
  await board.until('filter: doom (Esc clears)')
  expect((await world.status(doomed)).status).toBe('RUNNING')
  board.types('k')
  await board.until(`Kill ${doomed}? [y/N]`)
  board.types('y')
  await board.until(`Killed: ${doomed}`)
  await board.until(/DONE 1\n▸ - doomed +killed/)
  board.types('Escape')
  await board.until(/AT WORK 1\n {2}● kept/)
  expect((await world.status(kept)).status).toBe('RUNNING')
  board.types('r')
  await board.until(`Start ${doomed} again from its first prompt? [y/N]`)
  board.types('y')
  await board.until(/AT WORK 2/)
})

test('Enter attaches and the board is back after the detach; logs follow; why explains; a prompt is sent', async () => {
  const world = await startWorld()
  const id = await world.run('do: say words for you', '--mode', 'interactive', '--name', 'talker')
  await waitFor('it to be idle', async () => (await world.status(id)).phase === 'idle', 20_000)
  const board = await boardOf(world)
  await board.until(/▸ ○ talker +idle/)
  board.types('Enter')
  await waitFor('somebody to be attached', async () => (await world.tmux('list-clients')).includes(id))
  await board.until('enter sends')
  board.types('C-b', 'd')
  await board.until(/▸ ○ talker +idle/)
  expect(await world.tmux('list-clients')).not.toContain('/dev/')
  expect((await world.status(id)).phase).toBe('idle')
  board.types('s')
  await board.until('Send, Enter gives it to the agent:')
  board.types('-l', 'do: append heard.txt ok')
  board.types('Enter')
  await board.until(/has received the prompt|is with the agent|was worked off/)
  await waitFor('the agent to do it', () => existsSync(join(world.project, 'heard.txt')))
  board.types('w')
  await board.until('What happened:')
  board.types('q')
  await board.until(/▸ ○ talker/)
})

test('logs grow on their page while the agent writes', async () => {
  const world = await startWorld()
  await world.run('do: say first words\ndo: wait-for go\ndo: say later words\ndo: hang', '--name', 'writer')
  const board = await boardOf(world)
  await board.until(/▸ ● writer/)
  board.types('l')
  await board.until(/logs, follows\n[\s\S]*first words/)
  writeFileSync(join(world.project, 'go'), '')
  await board.until('later words')
  board.types('Escape')
  await board.until(/▸ ● writer/)
})

test('the board follows the size of its terminal, and says when that is too small', async () => {
  const world = await startWorld()
  await world.run('do: hang', '--name', 'worker')
  const board = await boardOf(world)
  await board.until(/▸ ● worker/)
  board.resize(120, 30)
  await board.until(/▸ ● worker {2,}scripted {2,}working/)
  board.resize(30, 8)
  await board.until('30×8 is too small;')
  board.resize(44, 10)
  const small = await board.until(/▸ ● worker/)
  expect(small.split('\n').length).toBeLessThanOrEqual(10)
  expect(small).toContain('? help q quit')
})

test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('%s gives the terminal back', async (name) => {
  const world = await startWorld()
  await world.run('do: hang', '--name', 'worker')
  const board = await boardOf(world)
  await board.until(/▸ ● worker/)
  expect(board.isOnAlternateScreen()).toBe(true)
  process.kill(board.pid(), name)
  await board.until(/exit=(143|129|130)/)
  await board.hasTerminalBack()
})

test('Ctrl-Z gives the terminal back, and fg brings the board back', async () => {
  const world = await startWorld()
  await world.run('do: hang', '--name', 'worker')
  const board = await boardOf(world)
  await board.until(/▸ ● worker/)
  board.types('C-z')
  await board.until('Stopped')
  expect(board.isOnAlternateScreen()).toBe(false)
  board.types('fg', 'Enter')
  await board.until(/▸ ● worker/)
  expect(board.isOnAlternateScreen()).toBe(true)
  board.types('C-c')
  await board.hasTerminalBack()
})

test('a daemon that is killed while the board is open is started again, and what happens then is shown', async () => {
  const world = await startWorld()
  await world.run('do: hang', '--name', 'before')
  const board = await boardOf(world)
  await board.until(/▸ ● before/)
  await board.until(/ live$/m)
  const pid = world.daemonPid()
  await world.killDaemon()
  await waitFor('another daemon', () => world.daemonPid() !== pid, 20_000)
  await world.run('do: hang', '--name', 'after')
  await board.until(/AT WORK 2[\s\S]*after/, 20_000)
  await board.until(/ live$/m)
})

test('a stopped daemon stays stopped: the board says so and when it last heard of it, and goes on when it is up', async () => {
  const world = await startWorld()
  await world.run('do: hang', '--name', 'worker')
  const board = await boardOf(world)
  await board.until(/ live$/m)
  await world.ok(['down'])
  const shown = await board.until(/daemon stopped \(holdfast up\), last word \d+s ago/)
  expect(shown).toContain('worker')
  const dimmed = board.tmux('capture-pane', '-p', '-e', '-t', 'person')
  expect(dimmed.split('\n').find((line) => line.includes('AT WORK'))).toContain('\x1b[2m')
  await world.ok(['up'])
  await board.until(/ live$/m)
})

test('a daemon that hangs is told by its silence, and what it says later by its words', async () => {
  const world = await startWorld()
  await world.run('do: hang', '--name', 'worker')
  const board = await boardOf(world)
  await board.until(/ live$/m)
  const pid = world.daemonPid()
  process.kill(pid, 'SIGSTOP')
  try {
    await board.until(/the daemon is silent, last word \d+s ago|reconnecting, last word/, 25_000)
    expect(board.screen()).toContain('worker')
  } finally {
    signal(pid, 'SIGCONT')
  }
  await board.until(/ live$/m, 25_000)
}, 60_000)

test('in a pane of another tmux, Enter first says how to detach', async () => {
  const world = await startWorld()
  await world.run('do: say words for you', '--mode', 'interactive', '--name', 'talker')
  const board = await boardOf(world, [], { insideTmux: true, columns: 100 })
  await board.until(/▸ ○ talker +scripted +idle/)
  board.types('Enter')
  await board.until('detach there with Ctrl-B Ctrl-B D')
  board.types('y')
  await board.until('enter sends')
  board.types('C-b', 'd')
  await board.until(/▸ ○ talker/)
})

test('in a popup of tmux the board works, attaches and comes back', async () => {
  const world = await startWorld()
  await world.run('do: say words for you', '--mode', 'interactive', '--name', 'talker')
  const inner = privateTmux()
  const outer = privateTmux()
  const env = Object.entries(world.env).map(([name, value]) => `${name}=${value}`)
  inner.tmux('new-session', '-d', '-s', 'work', '-x', '100', '-y', '30', 'cat')
  outer.tmux(
    ...['new-session', '-d', '-s', 'glass', '-x', '100', '-y', '30'],
    ...['env', '-u', 'TMUX', 'TERM=xterm-256color', 'tmux', '-u', '-S', inner.socket, 'attach', '-t', 'work'],
  )
  await waitFor('a client', () => inner.tmux('list-clients') !== '')
  const command = ['env', ...env, process.execPath, CLI, 'top'].map((word) => `'${word}'`).join(' ')
  const popup = inner.tmux.bind(null, 'run-shell', '-b')
  popup(`tmux -S ${inner.socket} display-popup -E -w 90 -h 26 "${command}"`)
  const until = (what: RegExp) =>
    waitFor(`${what} in the popup`, () => what.test(outer.tmux('capture-pane', '-p', '-t', 'glass')), 15_000)
  const types = (...keys: string[]) => outer.tmux('send-keys', '-t', 'glass', ...keys)
  await until(/▸ ○ talker +idle/)
  types('Enter')
  await until(/enter sends/)
  types('C-b', 'd')
  await until(/▸ ○ talker +idle/)
  types('q')
  await waitFor(
    'the popup to close',
    () => !outer.tmux('capture-pane', '-p', '-t', 'glass').includes('talker'),
  )
})

test('what agents and people call their sessions is drawn, not obeyed', async () => {
  const world = await startWorld()
  const title = `bad \u001b]0;owned\u0007 \u001b[2J\u001b[31m \u202e title 日本 🎉`
  await world.run('do: ask Sure?\u001b[2J\u001b[5;5Hmoved | y\u001bcs | no', '--title', title)
  const board = await boardOf(world)
  await board.until(/NEEDS YOU 1\n▸ \?/)
  await board.until('1. y')
  expect(board.tmux('display-message', '-p', '-t', 'person', '#{pane_title}')).not.toBe('owned')
  expect(board.screen()).toMatch(/^ holdfast/)
})

test('without a terminal it says what to use instead', async () => {
  const world = await startWorld()
  const said = await world.cli(['top'])
  expect(said.code).toBe(1)
  expect(said.stderr).toContain('holdfast list --json')
  expect(said.stderr).toContain('holdfast monitor <id>')
  expect(JSON.parse((await world.cli(['top', '--json'])).stdout)).toMatchObject({ error: { code: 'USAGE' } })
})
