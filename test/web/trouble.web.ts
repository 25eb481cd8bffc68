// What a person sees while something is wrong: it stays on the screen, dimmed and with its age, and comes back by itself.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { pruneWhileDown } from '../helpers/events-while-down.ts'
import { untilPhase } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { setClockOff } from './lib/browser-time.ts'
import { expectLive, expectNoErrors, type PageWorld, startPageWorld } from './lib/page-world.ts'

/** As it is drawn: that of everything around it, too. */
const opacityOf = (one: Locator) =>
  one.evaluate((element) => {
    const { defaultView } = element.ownerDocument
    let opacity = 1
    for (let at = element; at !== null; at = at.parentElement)
      opacity *= Number(defaultView.getComputedStyle(at).opacity)
    return opacity
  })

test('while the daemon is away, what was known stays and is dimmed; with the next daemon the page is live again', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn()
  await world.run('do: hang', '--title', 'Survives the daemon')
  const row = page.getByText('Survives the daemon')
  await row.waitFor()
  expect(await opacityOf(row)).toBe(1)
  await world.killDaemon()
  await page.locator('[data-live="cut_off"]').first().waitFor({ state: 'attached' })
  await page
    .getByText(/last heard/)
    .first()
    .waitFor()
  expect(await opacityOf(row)).toBeLessThan(0.8)
  await world.ok(['list'])
  await expectLive(page)
  await page
    .getByText(/last heard/)
    .first()
    .waitFor({ state: 'detached' })
  expect(await opacityOf(row)).toBe(1)
  await world.run('do: hang', '--title', 'Begun later')
  await page.getByText('Begun later').waitFor()
  expectNoErrors(world)
})

const HOLD = `
const { DatabaseSync } = require(process.argv[2])
const database = new DatabaseSync(process.argv[1])
database.exec('PRAGMA busy_timeout = 5000; BEGIN EXCLUSIVE')
console.log('held')
process.stdin.on('end', () => database.exec('ROLLBACK')).resume()
`

/** Another process has the database for itself, as a careless backup would. */
async function holdDatabase(world: PageWorld): Promise<() => Promise<unknown>> {
  const isBuiltIn = Number.parseInt(process.versions.node, 10) >= 24
  const library = isBuiltIn ? 'node:sqlite' : '@photostructure/sqlite'
  const child = spawn(process.execPath, ['-e', HOLD, join(world.home, 'holdfast.db'), library])
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stdout.on('data', (text) => (said += text))
  await waitFor('the lock', () => said.includes('held'))
  return async () => {
    child.stdin.end()
    await new Promise((exited) => child.once('exit', exited))
  }
}

test('while the store is locked, an order is refused in words and the screen stays; afterwards it works', async () => {
  const world = await startPageWorld()
  await world.ok(['workspace', 'add', world.project])
  const { page } = await world.signIn()
  await world.visit(page, '/new')
  await page.getByLabel('What is to be done').fill('do: finish it')
  const release = await holdDatabase(world)
  await page.getByRole('button', { name: 'Start the task' }).click()
  await page
    .getByRole('alert')
    .getByText(/database|store/i)
    .waitFor({ timeout: 40_000 })
  expect(await page.getByLabel('What is to be done').inputValue()).toBe('do: finish it')
  await release()
  await page.getByRole('button', { name: 'Start the task' }).click()
  await page.locator('h1').getByText('done', { exact: true }).waitFor({ timeout: 30_000 })
  const { tasks } = await world.daemon.call('GET /api/tasks', { query: {} })
  expect(tasks).toHaveLength(1)
  expectNoErrors(world)
})

test('while the store is locked, the health screen says that it fails and why; afterwards that it answers', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn()
  await world.visit(page, '/health')
  const store = page.getByRole('article', { name: 'Store' })
  await store.getByText('answers', { exact: true }).waitFor()
  await store.getByText('SQLite, a file in the home.').waitFor()
  const release = await holdDatabase(world)
  await store.getByText('fails', { exact: true }).waitFor({ timeout: 60_000 })
  await store.getByText(/database is locked/).waitFor()
  expect(await store.getByText('answers', { exact: true }).count()).toBe(0)
  await release()
  await store.getByText('answers', { exact: true }).waitFor({ timeout: 60_000 })
  expectNoErrors(world)
})

test.each([-5, 7])(
  'with the clock of the browser off by %d hours, ages and times ahead are those of the daemon',
  async (hours) => {
    const world = await startPageWorld()
    const { page, context } = await world.signIn()
    await setClockOff(context, hours)
    const id = await world.run('do: hang', '--title', 'Young')
    await world.visit(page, '/audit')
    await world.visit(page, `/tasks/${id}`)
    await page
      .getByRole('main')
      .getByText(/^its (own word|process), (just now|\d+ s ago)$/)
      .waitFor()
    await world.visit(page, '/health')
    await page.getByText(/up for (\d+ s|[12] min)\./).waitFor()
    const parked = await world.run('do: limit 3600', '--title', 'Parked')
    await untilPhase(world, parked, 'parked')
    await world.visit(page, `/tasks/${parked}`)
    const ahead = page
      .getByText(/Next, at/)
      .locator('time')
      .first()
    expect(await ahead.innerText()).toMatch(/, in (5\d min|1 h|1 h \d min)$/)
  },
)

test('a page that is older than its daemon says so, goes on showing what it can, and is loaded anew by a press', async () => {
  const world = await startPageWorld()
  const { page, context } = await world.signIn()
  await world.run('do: hang', '--title', 'Seen by the old page')
  let isOld = true
  await context.route('**/api/**', async (route) => {
    if (!isOld || route.request().url().includes('/api/events')) return route.continue()
    const answer = await route.fetch()
    await route.fulfill({
      response: answer,
      headers: { ...answer.headers(), 'x-holdfast-version': '99.0.0' },
    })
  })
  await page.goto(world.address)
  const notice = page.getByText('The daemon is version 99.0.0')
  await notice.waitFor()
  await page.getByText('Seen by the old page').waitFor()
  // The page that is loaded next is as new as the daemon.
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isOld = false
  })
  await page.getByRole('button', { name: 'Load the new page' }).click()
  await notice.waitFor({ state: 'detached' })
  expect(isOld).toBe(false)
  await expectLive(page)
  await page.getByText('Seen by the old page').waitFor()
  expect(await notice.count()).toBe(0)
  // A request may still be on its way when the test is over.
  await context.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a browser that is signed out keeps what it shows and is told how to get in again', async () => {
  const world = await startPageWorld()
  const { page, context } = await world.signIn()
  await world.run('do: hang', '--title', 'Was seen')
  await page.getByText('Was seen').waitFor()
  await context.clearCookies()
  await world.killDaemon()
  await world.ok(['list'])
  await page.getByText('not signed in any more').waitFor({ timeout: 20_000 })
  await page.getByRole('button', { name: 'holdfast web' }).waitFor()
  expect(await page.getByText('Was seen').count()).toBe(1)
})

test('a page that was away for so long that the events it missed are not kept any more shows what is now, and is live again', async () => {
  const world = await startPageWorld()
  const { page, context } = await world.signIn()
  // So that the tab has a stream of its own, which can be listened to.
  await context.addInitScript('delete globalThis.SharedWorker')
  await world.visit(page, '/')
  const id = await world.run('do: hang', '--title', 'Seen before')
  await page.getByRole('list', { name: 'At work' }).getByText('Seen before').waitFor()
  const refused = page.waitForResponse((answer) => answer.status() === 410)
  await world.killDaemon()
  pruneWhileDown(world)
  await world.ok(['kill', id, '--force'])
  expect((await refused).url()).toContain('/api/events?')
  await expectLive(page)
  await page.getByRole('list', { name: 'Ended today' }).getByText('Seen before').waitFor()
  await world.run('do: hang', '--title', 'Begun afterwards')
  await page.getByText('Begun afterwards').waitFor()
  expectNoErrors(world)
})
