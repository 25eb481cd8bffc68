// The screen of a task offers what its daemon would carry out, and nothing else.
import { expect, test } from 'vitest'
import { untilPhase } from '../helpers/faults.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

test('a prompt, a check, a takeover and a handback are offered for the tasks that can have them, and only for these', async () => {
  const world = await startPageWorld({ config: 'maxConcurrent: 3\n' })
  const works = [
    await world.run('do: hang', '--title', 'Hears nothing'),
    await world.run('do: wait-for go', '--converse', '--verify', 'file:out.md', '--title', 'Hears'),
    await world.run('do: hang', '--mode', 'interactive', '--title', 'In a terminal'),
  ]
  for (const id of works) await untilPhase(world, id, 'working')
  const queued = await world.run('do: hang', '--title', 'Waits')
  const { page } = await world.signIn()
  const offered = async (id: string) => {
    await world.visit(page, `/tasks/${id}/checks`)
    await page.getByRole('button', { name: 'Kill' }).waitFor()
    const has = async (name: string) => (await page.getByRole('button', { name, exact: true }).count()) === 1
    const names = ['Send', 'Check now', 'Take over', 'Hand back']
    const shown = await Promise.all(names.map(has))
    return names.filter((_, place) => shown[place])
  }
  expect(await offered(works[0]!)).toEqual(['Take over'])
  expect(await offered(works[1]!)).toEqual(['Send', 'Check now', 'Take over'])
  expect(await offered(works[2]!)).toEqual(['Send', 'Hand back'])
  expect(await offered(queued)).toEqual([])
  await world.visit(page, `/tasks/${works[2]}`)
  await page.getByRole('button', { name: 'Hand back' }).click()
  await page.getByRole('button', { name: 'Take over' }).waitFor()
  expect(await world.status(works[2]!)).toMatchObject({ mode: 'headless', takes_prompts: false })
  expectNoErrors(world)
})

test('the screen of a runtime offers no order that ends it or moves it, and leads to where that is done', async () => {
  const world = await startPageWorld()
  await world.ok(['runtime', 'start', 'writer', '--agent', 'scripted'])
  const { runtimes } = await world.daemon.call('GET /api/runtimes', { query: {} })
  const { task_id: id } = runtimes[0]!
  await world.ok(['send', 'writer@project', 'do: hang'])
  await untilPhase(world, id, 'working')
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}/inputs`)
  await page.getByRole('link', { name: 'Stop or restart it' }).waitFor()
  for (const name of ['Kill', 'Hand back', 'Take over', 'Finish'])
    expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0)
  // It was told nothing at its start, and what comes next is a sentence.
  const inputs = page.getByRole('list', { name: 'Inputs' })
  await inputs.getByText('do: hang').waitFor()
  expect(await inputs.getByText(/its first prompt|nothing:/).count()).toBe(0)
  await page.getByRole('link', { name: 'Stop or restart it' }).click()
  const card = page.getByRole('article', { name: 'writer@project' })
  await card.getByRole('button', { name: 'Stop' }).click()
  await page
    .getByRole('dialog')
    .getByText(/new ones are refused/)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
  await card.getByText('stopped', { exact: true }).waitFor()
  expect(await world.cli(['send', 'writer@project', 'do: say more'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('RUNTIME_STOPPED'),
  })
  await card.getByRole('link', { name: 'writer@project' }).click()
  await page.locator('h1').getByText('killed', { exact: true }).waitFor()
  for (const name of ['Resume', 'Retry', 'Archive'])
    expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0)
  expectNoErrors(world)
})
