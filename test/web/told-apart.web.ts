// What a browser of another kind needs: one that reads aloud, and one that stores nothing.
import { expect, test } from 'vitest'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

test('nothing that changes every second is read out while the daemon is away', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn()
  await world.killDaemon()
  await page
    .getByText(/last heard \d+ s ago/)
    .first()
    .waitFor({ timeout: 20_000 })
  const spoken = await page.getByRole('status').allInnerTexts()
  expect(spoken).toContain('not connected')
  expect(spoken.filter((text) => /ago|just now/.test(text))).toEqual([])
  expectNoErrors(world)
})

test('where nothing can be stored, a theme is chosen for the tab', async () => {
  const world = await startPageWorld()
  const { page, context } = await world.signIn({ colorScheme: 'light' })
  await context.addInitScript(`Object.defineProperty(window, 'localStorage', {
    get() { throw new DOMException('no storage here', 'SecurityError') },
  })`)
  await world.visit(page, '/')
  const drawn = () => page.evaluate('document.documentElement.dataset.theme')
  const seen: unknown[] = [await drawn()]
  for (const name of ['Dark', 'As the system']) {
    await page.getByRole('button', { name }).click()
    seen.push(await drawn())
  }
  expect(seen).toEqual(['light', 'dark', 'light'])
  expectNoErrors(world)
})
