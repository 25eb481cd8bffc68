// A person's keys and ours in one terminal: what is sent arrives as it was meant, or not at all.
import { expect, test } from 'vitest'
import { words } from '../helpers/faults.ts'
import { held, personAt } from '../helpers/person.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const OURS = 'do: say ours\nand a second line of it'
const quick = { config: 'quiet.window: 2s\n' }

const untilIdle = (world: World, id: string) =>
  waitFor(`${id} to be idle`, async () => {
    const task = await world.status(id)
    return task.phase === 'idle' ? task : undefined
  })

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))

async function atRest() {
  const world = await startWorld(quick)
  const id = await world.run('do: say ready', '--mode', 'interactive')
  const { tmux_session } = await untilIdle(world, id)
  const outside = (...keys: string[]) => world.tmux('send-keys', '-t', `=${tmux_session}:`, ...keys)
  return {
    world,
    id,
    outside,
    heard: () =>
      world
        .heard()
        .slice(1)
        .map(({ heard }) => heard),
  }
}

async function withPerson() {
  const rest = await atRest()
  const person = personAt(rest.world)
  person.runs('attach', rest.id)
  await person.shows('enter sends')
  return { ...rest, person }
}

test.each([
  ['Backspace', 'BSpace', undefined],
  ['a letter', 'x', 'C-u'],
  ['Ctrl-U', 'C-u', undefined],
  ['an arrow', 'Left', 'C-u'],
])(
  'while a person holds %s in an attached terminal nothing is typed; then the prompt arrives whole',
  async (_key, key, after) => {
    const { world, id, person, heard } = await withPerson()
    person.types('half a line')
    const holding = person.holds(key)
    await world.ok(['send', id, OURS])
    await pause(1500)
    expect(heard()).toEqual([])
    expect(await world.ok(['screen', id])).not.toContain('say ours')
    await holding.letGo()
    if (after !== undefined) person.types(after)
    await waitFor('the prompt', () => heard().length > 0, 30_000)
    await untilIdle(world, id)
    expect(heard()).toEqual([OURS])
  },
  60_000,
)

test.each([
  ['Backspace', 'BSpace'],
  ['Ctrl-U', 'C-u'],
])(
  'keys from another program, %s again and again, never maim a prompt',
  async (_key, key) => {
    const { world, id, outside, heard } = await atRest()
    await outside('half a line of somebody')
    const holding = held(() => outside(key))
    await world.ok(['send', id, OURS])
    await pause(1500)
    await holding.letGo()
    await waitFor('the prompt', () => heard().length > 0, 30_000)
    await untilIdle(world, id)
    expect(heard()).toEqual([OURS])
  },
  60_000,
)

/** Pasted, not yet drawn, and nobody there to press Enter: the agent stands still, then the daemon is gone. */
async function pastedAndLeft() {
  const rest = await atRest()
  const { world, id } = rest
  const { tmux_session } = await world.status(id)
  const agent = world.processes().find((pid) => words(pid).includes('--tui'))!
  process.kill(agent, 'SIGSTOP')
  // It would start the next daemon.
  const sending = world.start(['send', id, OURS])
  const pasted = ['display-message', '-p', '-t', `=${tmux_session}:`, '#{@hf_pasted}']
  await waitFor('the paste', async () => (await world.tmux(...pasted)).trim() === 'i2')
  sending.kill('SIGKILL')
  await world.killDaemon()
  process.kill(agent, 'SIGCONT')
  const screen = () => world.tmux('capture-pane', '-p', '-t', `=${tmux_session}:`)
  await waitFor('it to be drawn', async () => (await screen()).includes('a second line of it'))
  return { ...rest, screen }
}

const isOver = (world: World, id: string) =>
  waitFor('its end', async () => (await world.status(id)).inputs.at(-1)?.done, 30_000)

test('what was pasted and then maimed is never sent, also by the next daemon: it is taken out, and the prompt arrives whole', async () => {
  const { world, id, outside, screen, heard } = await pastedAndLeft()
  await outside('BSpace', 'BSpace', 'BSpace')
  await waitFor('the maimed text', async () => !(await screen()).includes('of it'))
  await world.ok(['list'])
  await waitFor('the prompt', () => heard().length > 0, 30_000)
  await isOver(world, id)
  expect(heard()).toEqual([OURS])
}, 60_000)

test('what was pasted and then sent by a person is not typed again, also by the next daemon', async () => {
  const { world, id, outside, heard } = await pastedAndLeft()
  await outside('Enter')
  await waitFor('the prompt', () => heard().length > 0)
  await world.ok(['list'])
  await isOver(world, id)
  expect(heard()).toEqual([OURS])
}, 60_000)

test('what was pasted and then made part of a person’s words stays theirs, and is not sent', async () => {
  const { world, id, outside, screen, heard } = await pastedAndLeft()
  await outside('-l', ' and mine')
  await waitFor('their words', async () => (await screen()).includes('of it and mine'))
  await waitFor(
    'the next daemon to keep the prompt back',
    async () => (await world.status(id)).kept_back?.reason === 'differs',
    30_000,
  )
  expect(heard()).toEqual([])
  expect(await screen()).toContain('of it and mine')
}, 60_000)

test('an answer waits for a person who presses keys in the dialog, and is then the one that was chosen', async () => {
  const world = await startWorld(quick)
  const id = await world.run(
    'do: ask Which colour? | red | green | blue\ndo: finish thanks',
    ...['--mode', 'interactive'],
  )
  await world.untilStatus(id, 'waiting_input')
  const person = personAt(world)
  person.runs('attach', id)
  await person.shows('blue')
  const holding = person.holds('Down')
  await world.ok(['answer', id, 'green'])
  expect((await world.status(id)).questions).toHaveLength(1)
  await holding.letGo()
  await untilIdle(world, id)
  expect(await world.ok(['screen', id])).toContain('answered: green')
}, 60_000)
