// The board in a real terminal, with a real daemon and real agents.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { boardOf } from '../helpers/board.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { privateTmux } from '../helpers/tmux-server.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { wearOut } from '../helpers/wear-out-tmux.ts'
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
  await board.until('Answer (a number)')
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

test('Enter attaches and the board is back after the detach; a prompt is sent; why explains', async () => {
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
  await board.until(`Send to ${id}`)
  board.types('-l', 'do: append heard.txt ok')
  board.types('Enter')
  await board.until(/has received the prompt|is with the agent|was worked off/)
  await waitFor('the agent to do it', () => existsSync(join(world.project, 'heard.txt')))
  board.types('w')
  await board.until('What happened:')
  board.types('q')
  await board.until(/▸ ○ talker/)
})

test('that a session is silent comes to the board, though nothing happens', async () => {
  const world = await startWorld({ config: 'reconcile.interval: 1s\n' })
  await world.run('do: tool 600 npm test', '--name', 'silent')
  const board = await boardOf(world)
  await board.until(/▸ ● silent/)
  await board.until(/last sign of life \d+s ago, a tool call is open/, 30_000)
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

test('a question that somebody else answers meanwhile is not answered twice; the next one can be', async () => {
  const world = await startWorld()
  const script = 'do: ask First? | red | green\ndo: ask Second? | up | down'
  const id = await world.run(script, '--converse')
  await world.untilStatus(id, 'waiting_input')
  const board = await boardOf(world)
  await board.until('1. red')
  board.types('a')
  await board.until('Answer (number or text)')
  await world.ok(['answer', id, '1'])
  await board.until(/asks for \d+s.*Second\?/)
  board.types('2', 'Enter')
  await board.until(/ALREADY_ANSWERED|NOT_ASKING/)
  board.types('a')
  await board.until(/Answer \(number or text\)/)
  board.types('2', 'Enter')
  await board.until('Answered: down.')
  await board.until(/WAITING 1\n▸ ○ .* idle/)
  expect((await world.status(id)).questions).toEqual([])
})

test('of two boards that have the same question open one answers; the other says that it is over', async () => {
  const world = await startWorld()
  const id = await world.run(
    'do: ask Which colour? | red | green\ndo: hang',
    '--converse',
    '--name',
    'painter',
  )
  await world.untilStatus(id, 'waiting_input')
  // Of two that ask in the same second, the one whose id comes first stands first.
  await world.untilStatus(await world.run('do: ask Then?', '--name', 'then'), 'waiting_input')
  const [one, other] = [await boardOf(world), await boardOf(world)]
  for (const board of [one, other]) {
    // Who waits longest is the first, and selected.
    await board.until(/NEEDS YOU 2\n▸ \? painter .*\n {2}\? then .*[\s\S]*1\. red/)
    board.types('a')
    await board.until('Answer (number or text)')
  }
  one.types('2', 'Enter')
  await one.until('Answered: green.')
  await other.until('This question is over')
  await other.until(/AT WORK 1\n▸ ● painter[\s\S]*This question is over/)
  // What is typed now is no command.
  other.types('k', 'y', 'Enter')
  await other.until(/ALREADY_ANSWERED|NOT_ASKING/)
  expect((await world.status(id)).status).toBe('RUNNING')
  const audit = await world.ok(['audit', '--task', id, '--kind', 'question_answered'])
  expect(audit.match(/question_answered .*/g)).toEqual([expect.stringContaining('green')])
})

test('`--tag` and `--project-only` show those sessions, also those that come later, and no others', async () => {
  const world = await startWorld()
  const other = join(world.root, 'elsewhere')
  mkdirSync(other)
  const runIn = (cwd: string, script: string, ...flags: string[]) =>
    world.ok(['run', '--file', '-', ...flags], { input: script, cwd })
  await runIn(world.project, 'do: hang', '--name', 'here')
  await runIn(other, 'do: hang', '--name', 'there', '--tag', 'night')
  const [project, night] = [
    await boardOf(world, ['--project-only']),
    await boardOf(world, ['--tag', 'night']),
  ]
  await project.until(/AT WORK 1\n▸ ● here/)
  await night.until(/AT WORK 1\n▸ ● there/)
  await runIn(other, 'do: finish done', '--name', 'there-too', '--wait')
  await runIn(world.project, 'do: finish done', '--name', 'here-too', '--tag', 'night', '--wait')
  for (const board of [project, night]) {
    const shown = await board.until(/DONE 1\n {2}✓ here-too/)
    expect(shown).toMatch(/0 need you · 1 at work · 0 waiting · 1 done/)
    expect(shown).not.toContain('there-too')
  }
  expect(project.screen()).not.toContain('● there')
  expect(night.screen()).not.toMatch(/● here /)
})

test('without tmux the board says why, and is live again when tmux is back', async () => {
  const world = await startWorld({ config: 'reconcile.interval: 300ms\n' })
  await world.run('do: hang', '--name', 'worker')
  const board = await boardOf(world)
  await board.until(/ live$/m)
  await wearOut(world)
  const shown = await board.until(/^ 0 need you · tmux: The tmux server died 3 times/)
  expect(shown).toMatch(/AT WORK 1\n▸ ● worker/)
  await world.ok(['up'])
  await board.until(/ live$/m)
})

test('a board whose terminal is closed ends', async () => {
  const world = await startWorld()
  await world.run('do: hang', '--name', 'worker')
  const board = await boardOf(world)
  await board.until(/▸ ● worker/)
  const pid = board.pid()
  board.tmux('kill-server')
  await waitFor('its end', () => !isAlive(pid))
})

test('an error of the board itself gives the terminal back and says what it is', async () => {
  const world = await startWorld()
  await world.run('do: hang', '--name', 'worker')
  const breaks = join(world.root, 'breaks.cjs')
  writeFileSync(breaks, "process.on('SIGUSR2', () => { throw new Error('broken on purpose') })")
  const board = await boardOf({ ...world, env: { ...world.env, NODE_OPTIONS: `--require ${breaks}` } })
  await board.until(/▸ ● worker/)
  process.kill(board.pid(), 'SIGUSR2')
  await board.until('exit=2')
  expect(board.screen()).toContain('broken on purpose')
  await board.hasTerminalBack()
})

test('the board follows the size of its terminal, and says when that is too small', async () => {
  const world = await startWorld()
  await world.run('do: hang', '--name', 'worker')
  const board = await boardOf(world)
  await board.until(/▸ ● worker/)
  board.types('?')
  const help = await board.until('Do, with the selected session')
  expect(help).toMatch(/^ {2}a {12}answer its question/m)
  expect(help).toContain('End last lines')
  board.types('q')
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

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGQUIT', 131],
] as const)('%s gives the terminal back, with exit code %i', async (name, exitCode) => {
  const world = await startWorld()
  await world.run('do: hang', '--name', 'worker')
  const board = await boardOf(world)
  await board.until(/▸ ● worker/)
  expect(board.isOnAlternateScreen()).toBe(true)
  process.kill(board.pid(), name)
  await board.until(`exit=${exitCode}\n`)
  await board.hasTerminalBack()
})

test('SIGTERM while a session is attached gives the terminal back, and the session goes on', async () => {
  const world = await startWorld()
  const id = await world.run('do: say here I am\ndo: hang', '--name', 'worker')
  const board = await boardOf(world)
  await board.until(/▸ ● worker/)
  const pid = board.pid()
  board.types('Enter')
  await board.until('here I am')
  process.kill(pid, 'SIGTERM')
  await board.until('exit=143\n')
  await board.hasTerminalBack()
  expect((await world.status(id)).phase).toBe('working')
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
