// What a person at a terminal meets: attaching, the first and second Ctrl-C, a daemon in the foreground.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { untilPhase, words } from '../helpers/faults.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { personAt } from '../helpers/person.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

test('attach shows the agent’s output; the first Ctrl-C only explains, and the tmux prefix leaves it running', async () => {
  const world = await startWorld()
  const id = await world.run('do: say words for you\ndo: wait-for go\ndo: finish done')
  await waitFor('it to work', async () => (await world.status(id)).phase === 'working')
  const person = personAt(world)
  person.runs('attach', id)
  await person.shows('words for you')
  person.types('C-c')
  await person.shows('Ctrl-C again within 2 s interrupts the agent')
  expect(await person.detaches()).toBe('0')
  expect(await world.status(id)).toMatchObject({ status: 'RUNNING' })
  writeFileSync(join(world.project, 'go'), '')
  await world.untilStatus(id, 'COMPLETED')
})

test('a terminal that is smaller than the agent’s screen shows where it asks, and says that it shows a part', async () => {
  const world = await startWorld()
  const lines = Array.from({ length: 40 }, (_, n) => `do: say line ${n}`).join('\n')
  const id = await world.run(`${lines}\ndo: ask Which colour? | red | blue`, '--mode', 'interactive')
  await untilPhase(world, id, 'asking')
  const { tmux_session } = await world.status(id)
  const size = () =>
    world.tmux('display-message', '-p', '-t', `=${tmux_session}:`, '#{pane_width}x#{pane_height}')
  expect(await size()).toBe('200x50\n')
  const person = personAt(world)
  person.runs('attach', id)
  await person.shows('2. blue')
  await person.shows('part of 200x50: Ctrl-B Shift-arrow')
  person.types('C-b', 'S-Up')
  await person.shows('line 16')
  expect(await size()).toBe('200x50\n')
})

test('a second Ctrl-C within two seconds interrupts the agent', async () => {
  const world = await startWorld()
  const id = await world.run('do: say ready\ndo: hang')
  await waitFor('it to work', async () => (await world.status(id)).phase === 'working')
  const person = personAt(world)
  person.runs('attach', id)
  await person.shows('ready')
  person.types('C-c')
  await person.shows('Ctrl-C again')
  person.types('C-c')
  expect(await world.untilStatus(id, 'waiting_input')).toMatchObject({
    exit_signal: 'INT',
    phase: 'stopped_by_person',
  })
})

test('takeover --attach waits for the terminal and enters it; the person goes on in the same session', async () => {
  const world = await startWorld()
  const id = await world.run('do: say words for you\ndo: wait-for go')
  await waitFor('its session', async () => (await world.status(id)).agent_session_id ?? undefined)
  const person = personAt(world)
  person.runs('takeover', id, '--attach')
  await waitFor('it to be at rest', async () => (await world.status(id)).phase === 'idle', 20_000)
  await person.shows('> ')
  writeFileSync(join(world.project, 'go'), '')
  person.types('do: append mine.txt hello', 'Enter')
  await waitFor('what the person asked for', () => existsSync(join(world.project, 'mine.txt')))
  expect(world.heard().at(-1)).toMatchObject({ heard: 'do: append mine.txt hello' })
  expect(new Set(world.heard().map(({ session }) => session)).size).toBe(1)
  expect(await person.detaches()).toBe('0')
})

test('up --foreground runs the daemon in this terminal until Ctrl-C, and leaves nothing', async () => {
  const world = await startWorld()
  const person = personAt(world)
  person.runs('up', '--foreground')
  // Any command would start a daemon of its own while this one is not up yet.
  await waitFor('the daemon to listen', () => existsSync(join(world.home, 'daemon.sock')))
  await world.ok(['list'])
  const pid = world.daemonPid()
  person.types('C-c')
  expect(await person.exitCode()).toBe('0')
  expect(isAlive(pid)).toBe(false)
  expect(existsSync(join(world.home, 'daemon.sock'))).toBe(false)
  // The person's own terminal knows the home by name; what belongs to the home has paths in it.
  const left = world.processes().filter((one) => words(one).some((word) => word.includes(`${world.home}/`)))
  expect(left).toEqual([])
})
