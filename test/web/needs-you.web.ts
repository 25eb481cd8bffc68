// Under "Needs you" stands only what needs a person, and what is offered there can be done.
import { expect, test } from 'vitest'
import { agentPid, untilPhase } from '../helpers/faults.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

const ASKS = 'do: ask Which colour? | red | blue\ndo: wait-for go'

test('an answer that no agent took goes from the first screen when its task is killed, and can be put away before', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn()
  const ids = [
    await world.run(ASKS, '--converse', '--title', 'Is killed'),
    await world.run(ASKS, '--converse', '--title', 'Is put away'),
  ] as const
  const cards = ['Is killed', 'Is put away'].map((name) => page.getByRole('article', { name }))
  for (const [place, card] of cards.entries()) {
    await untilPhase(world, ids[place]!, 'asking')
    process.kill(await agentPid(world, ids[place]!), 'SIGSTOP')
    await card.getByRole('button', { name: '2 blue' }).click()
    await card.getByText('Stored. The agent has not taken it yet.').waitFor({ timeout: 60_000 })
  }
  await cards[1]!.getByRole('button', { name: 'Put away' }).click()
  expect(await cards[1]!.getByText('Stored.').count()).toBe(0)
  await world.ok(['kill', ids[0]])
  await cards[0]!.getByText('The task has ended: nothing waits for this answer any more.').waitFor()
  await cards[0]!.waitFor({ state: 'detached', timeout: 30_000 })
  expectNoErrors(world)
})

test('an answer that the agent took before the page heard that it is stored is seen to be taken', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn()
  const id = await world.run(ASKS, '--converse')
  await page.route('**/api/tasks/*/answer', async (route) => {
    const answer = await route.fetch()
    await untilPhase(world, id, 'working')
    await route.fulfill({ response: answer, json: { ...(await answer.json()), settled: false } })
  })
  await page.getByRole('button', { name: '2 blue' }).click()
  await page.getByText('The dialog closed.').waitFor()
  expectNoErrors(world)
})
