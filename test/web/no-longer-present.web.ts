// What was true once is not shown as if it were true now.
import { expect, test } from 'vitest'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

test('a login that ends while the stream is open is seen to have ended with the next answer', async () => {
  const world = await startPageWorld()
  const { page, context } = await world.signIn()
  await world.run('do: hang', '--title', 'Was seen')
  await page.getByText('Was seen').waitFor()
  await context.clearCookies()
  await world.run('do: hang', '--title', 'Begun later')
  await page.getByText('not signed in any more').waitFor({ timeout: 10_000 })
  expect(await page.locator('[data-live="signed_out"]').count()).toBe(1)
  expect(await page.locator('[data-stale]').getByText('Was seen').count()).toBe(1)
  await page.getByText('holdfast web', { exact: true }).waitFor()
  const { page: again } = await world.signIn({}, context)
  await again.getByText('Begun later').waitFor()
  await page.locator('[data-live="live"]').first().waitFor({ state: 'attached', timeout: 20_000 })
  await page.getByText('Begun later').waitFor()
  expectNoErrors(world)
})
