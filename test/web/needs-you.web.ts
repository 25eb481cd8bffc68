// Under "Needs you" stands only what needs a person, and what is offered there can be done.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentPid, untilPhase } from '../helpers/faults.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { waitFor } from '../helpers/wait-for.ts'
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
  await world.ok(['kill', ids[0], '--force'])
  await cards[0]!.getByText('The task has ended: nothing waits for this answer any more.').waitFor()
  await cards[0]!.waitFor({ state: 'detached', timeout: 30_000 })
  expectNoErrors(world)
})

test('a digit answers the card with the focus, and no other; an answer that the agent took before the page heard that it is stored is seen to be taken', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn()
  const id = await world.run(ASKS, '--converse')
  await page.route('**/api/tasks/*/answer', async (route) => {
    const answer = await route.fetch()
    await untilPhase(world, id, 'working')
    await route.fulfill({ response: answer, json: { ...(await answer.json()), settled: false } })
  })
  await page.getByRole('button', { name: '2 blue' }).waitFor()
  await page.keyboard.press('1')
  await page.keyboard.press('j')
  await page.keyboard.press('2')
  await page.getByText('The dialog closed.').waitFor()
  expect((await world.ok(['logs', id])).match(/^answer: .*/gm)).toEqual(['answer: blue'])
  expectNoErrors(world)
})

test('of a task that was answered elsewhere and has not taken the answer, both screens say what it waits for and offer nothing', async () => {
  const world = await startPageWorld()
  const id = await world.run(ASKS, '--converse', '--title', 'Was answered')
  await untilPhase(world, id, 'asking')
  process.kill(await agentPid(world, id), 'SIGSTOP')
  await world.cli(['answer', id, 'red'])
  const { page } = await world.signIn()
  const card = page.getByRole('article', { name: 'Was answered' })
  await card.getByText('Goes on as soon as its agent has got the answer.').waitFor()
  expect(await card.getByRole('button').allInnerTexts()).toEqual([])
  await world.visit(page, `/tasks/${id}`)
  const asks = page.getByRole('region', { name: 'It asks' })
  await asks.getByText('It is answered. Goes on as soon as its agent has got the answer.').waitFor()
  expect(await asks.getByRole('button').allInnerTexts()).toEqual([])
  expectNoErrors(world)
})

test('a task that no answer can reach can be started again on the first screen, and closed on its own', async () => {
  const program = join(tempDir('hfbin'), 'agent')
  writeFileSync(program, '#!/bin/sh\necho "? Overwrite it"\nwhile :; do sleep 0.1; done\n', { mode: 0o755 })
  const custom = { argv: [program], patterns: { asking: '^\\? (.*)' } }
  const world = await startPageWorld({ config: `agents: ${JSON.stringify({ custom })}\n` })
  const id = await world.run('work', '--agent', 'custom', '--title', 'Cannot hear')
  const { page } = await world.signIn()
  await page.getByRole('article', { name: 'Cannot hear' }).getByRole('button', { name: 'Retry' }).click()
  await waitFor('a second run', async () => {
    const { runs } = await world.daemon.call('GET /api/tasks/:id/why', { id })
    return runs.length === 2
  })
  await untilPhase(world, id, 'asking')
  await world.visit(page, `/tasks/${id}`)
  const asks = page.getByRole('region', { name: 'It asks' })
  await asks.getByRole('button', { name: 'Retry' }).waitFor()
  await asks.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.locator('h1').getByText('killed', { exact: true }).waitFor()
  expectNoErrors(world)
})
