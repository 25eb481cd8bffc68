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
