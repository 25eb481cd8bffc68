import { expect, test } from 'vitest'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const untilPhase = (world: World, id: string, phase: string) =>
  waitFor(`${id} to be ${phase}`, async () => {
    const task = await world.status(id)
    return task.phase === phase ? task : undefined
  })

/** An idle agent with half a line in its box that nobody sends, and a prompt that waits behind it. */
async function keptBack(world: World, prompt: string) {
  const id = await world.run('do: say ready', '--mode', 'interactive')
  const { run_id, tmux_session } = await untilPhase(world, id, 'idle')
  const press = (key: string) => world.tmux('send-keys', '-t', `=${tmux_session}:`, key)
  await press('half a thought')
  await waitFor('the draft', async () => (await world.ok(['screen', id])).includes('half a') || undefined)
  await world.ok(['send', id, prompt])
  return { id, run_id, press, sentAt: Date.now() }
}

const untilAsked = (world: World, id: string) =>
  waitFor(`${id} to ask`, async () => (await world.status(id)).questions[0], 80_000)

const untilHeard = (world: World, prompt: string) =>
  waitFor(prompt, () => world.heard().some(({ heard }) => heard === prompt) || undefined, 20_000)

test('what cannot be said within a minute is asked about, and said when it can be: in its terminal, or in a new one', async () => {
  const world = await startWorld({ config: 'quiet.window: 1s\n' })
  const [cleared, resumed] = [await keptBack(world, 'do: say one'), await keptBack(world, 'do: say two')]
  const { question } = await untilAsked(world, cleared.id)
  expect(Date.now() - cleared.sentAt).toBeLessThan(60_000)
  expect(question).toContain('1 prompt waits: its input box holds unsent text: "half a thought"')
  const listed = await world.ok(['questions'])
  expect(listed).toContain(question)
  expect(listed).toContain(`holdfast answer ${cleared.id}`)

  await untilAsked(world, resumed.id)

  await world.killDaemon()
  await cleared.press('C-u')
  await world.ok(['list'])
  await untilHeard(world, 'do: say one')
  const one = await untilPhase(world, cleared.id, 'idle')
  expect(one).toMatchObject({ questions: [], kept_back: null, run_id: cleared.run_id })

  await world.ok(['answer', resumed.id, 'resume'])
  await untilHeard(world, 'do: say two')
  const two = await untilPhase(world, resumed.id, 'idle')
  expect(two.questions).toEqual([])
  expect(two.run_id).not.toBe(resumed.run_id)
  expect(world.heard()).toHaveLength(4)
}, 150_000)
