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
