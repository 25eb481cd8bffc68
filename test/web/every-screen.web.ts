import { expect, test } from 'vitest'
import { axeFindings } from './lib/axe.ts'
import { PHONE } from './lib/browser.ts'
import { fillHouse, fillRuntimes, HOUSE } from './lib/full-house.ts'
import { expectLive, expectNoErrors, startPageWorld } from './lib/page-world.ts'

const TABS = ['screen', 'changes', 'result', 'checks', 'why', 'inputs', 'children', 'cost']

test('axe finds nothing wrong with any screen, tab, dialog or the palette, in light, in dark and on a phone', {
  timeout: 600_000,
}, async () => {
  const world = await startPageWorld({ retries: 5, config: HOUSE })
  const { thread } = await fillRuntimes(world)
  const { asks, works, terminal, done } = await fillHouse(world)
  const screens = [
    '/',
    '/tasks',
    '/tasks?view=board',
    ...[asks, works, terminal, done].map((id) => `/tasks/${id}`),
    ...TABS.map((tab) => `/tasks/${done}/${tab}`),
    `/tasks/${terminal}/screen`,
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
    const examine = async (what: string) => {
      for (const finding of await axeFindings(page)) found.push(`${name} ${what} ${finding}`)
      // The width of a phone, not innerWidth: what is too wide makes that wider, too.
      const { width } = page.viewportSize()!
      const wide = ((await page.evaluate('document.documentElement.scrollWidth')) as number) > width
      if (wide) found.push(`${name} ${what} is wider than its window`)
    }
    for (const path of screens) {
      await world.visit(page, path)
      await page.locator('main h1').waitFor()
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      await examine(path)
    }
    await world.visit(page, `/tasks/${works}`)
    await page.getByRole('button', { name: 'Kill', exact: true }).click()
    await page.getByRole('dialog').waitFor()
    await examine('a dialog')
    await page.getByRole('button', { name: 'Leave it' }).click()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('option').first().waitFor()
    await examine('the palette')
    await expectLive(page)
  }
  expect(found).toEqual([])
  expectNoErrors(world)
})
