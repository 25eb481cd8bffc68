import { test } from 'vitest'
import { startPageWorld } from './lib/page-world.ts'
test('dbg', { timeout: 60000 }, async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn()
  page.on('console', (m) => console.log('console', m.text()))
  page.on('requestfailed', (r) => console.log('failed', r.url(), r.failure()?.errorText))
  page.on('response', (r) => console.log(r.status(), r.request().method(), r.url()))
  await page.goto(`${world.address}/`)
  await page.waitForTimeout(4000)
  console.log(await page.locator('body').innerText())
})
