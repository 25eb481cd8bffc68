import { expect, test } from 'vitest'
import { axeFindings } from './lib/axe.ts'
import { PHONE } from './lib/browser.ts'
import { fillHouse, fillRuntimes } from './lib/full-house.ts'
import { expectLive, expectNoErrors, startPageWorld } from './lib/page-world.ts'

test('axe finds nothing wrong with any screen, in light, in dark and on a phone', {
  timeout: 300_000,
}, async () => {
  const world = await startPageWorld({ config: 'maxConcurrent: 8\n' })
  const { thread } = await fillRuntimes(world)
  const { asks, works, terminal, done } = await fillHouse(world)
  const screens = [
    '/',
    '/tasks',
    ...[asks, works, terminal, done].map((id) => `/tasks/${id}`),
    '/new',
    '/runtimes',
    '/runtimes?show=triggers',
    '/threads',
    `/threads/${thread}`,
    '/limits',
    '/audit',
    '/health',
    '/more',
  ]
  const found: string[] = []
  for (const [name, look] of [
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', PHONE],
  ] as const) {
    const { page } = await world.signIn(look)
    for (const path of screens) {
      await world.visit(page, path)
      await page.locator('main h1').waitFor()
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      for (const finding of await axeFindings(page)) found.push(`${name} ${path} ${finding}`)
      const wide = (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) as boolean
      if (wide) found.push(`${name} ${path} is wider than its window`)
    }
    await expectLive(page)
  }
  expect(found).toEqual([])
  expectNoErrors(world)
})
