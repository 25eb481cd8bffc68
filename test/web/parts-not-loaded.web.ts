// A part of the page that is loaded when it is first shown, while the daemon does not give it.
import { expect, test } from 'vitest'
import { expectLive, expectNoErrors, startPageWorld } from './lib/page-world.ts'

const NOT_LOADED = 'This part could not be loaded.'

test('a place that was never visited while the daemon is away: it is said, the rest works, and trying again shows it', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn()
  await world.killDaemon()
  await page.locator('[data-live="cut_off"]').first().waitFor({ state: 'attached' })
  const places = page.getByRole('navigation').first()
  const said = page.getByRole('alert').getByText(NOT_LOADED)
  await places.getByRole('link', { name: 'Audit' }).click()
  await said.waitFor()
  await places.getByRole('link', { name: 'Now' }).click()
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor()
  expect(await said.count()).toBe(0)
  await places.getByRole('link', { name: 'Audit' }).click()
  await said.waitFor()
  await world.ok(['list'])
  await expectLive(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()
  // From one that failed straight to the next place.
  await page.route('**/assets/*.js', (route) => route.abort())
  await places.getByRole('link', { name: 'Limits' }).click()
  await said.waitFor()
  await page.unrouteAll()
  await places.getByRole('link', { name: 'Health' }).click()
  await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor()
  expectNoErrors(world, { but: /\/assets\// })
})

test('a chart that could not be loaded leaves the rest of its task, and is drawn when tried again', async () => {
  const world = await startPageWorld()
  const id = await world.run('do: usage 1000 100 0.5\ndo: finish ok', '--title', 'Has a chart')
  await world.untilStatus(id, 'COMPLETED')
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}/output`)
  await page.getByRole('heading', { level: 1, name: 'Has a chart' }).waitFor()
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.getByRole('tab', { name: 'Cost' }).click()
  const panel = page.getByRole('tabpanel')
  await panel.getByText(NOT_LOADED).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Has a chart' }).waitFor()
  await page.unrouteAll()
  await panel.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('img', { name: 'Tokens and cost over time' }).waitFor()
  expectNoErrors(world, { but: /\/assets\// })
})
