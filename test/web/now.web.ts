// The first screen says only what it knows.
import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

test('while it is not known which tasks there are, the page does not say that nothing needs anybody', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn()
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/tasks/active*', async (route) => {
    await held
    await route.continue()
  })
  const questions = page.waitForResponse('**/api/questions')
  await world.visit(page, '/')
  await (await questions).finished()
  await page.getByRole('heading', { name: 'Needs you' }).waitFor()
  const nothing = page.getByText('Nothing needs you.')
  expect(await nothing.count()).toBe(0)
  answer()
  await nothing.waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  expectNoErrors(world)
})

test('of lists that the page did not load whole, it says how many there are or more', async () => {
  const world = await startPageWorld()
  const done = await world.run('do: finish ok', '--title', 'Was done')
  await world.untilStatus(done, 'COMPLETED')
  await world.run('do: hang', '--title', 'Works')
  const { page } = await world.signIn()
  await page.getByRole('heading', { name: /^Ended today 1$/ }).waitFor()
  await page.getByRole('heading', { name: /^At work 1, up to/ }).waitFor()
  // As if more followed than the page asks for.
  const endless = async (route: Route) => {
    const isFirst = !new URL(route.request().url()).searchParams.has('after')
    const json = await (await route.fetch()).json()
    await route.fulfill({ json: { ...json, tasks: isFirst ? json.tasks : [], next: 'more' } })
  }
  await page.route(/\/api\/tasks(\/active)?\?/, endless)
  await world.visit(page, '/')
  await page.getByRole('heading', { name: /^Ended today 1 or more$/ }).waitFor()
  await page.getByRole('heading', { name: /^At work 1 or more, up to/ }).waitFor()
  await page.getByRole('heading', { name: /^Waiting 0 or more$/ }).waitFor()
  await page.getByText('Nothing among the 1 newest tasks needs you.').waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  expectNoErrors(world)
})
