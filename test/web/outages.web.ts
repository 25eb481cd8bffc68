// What the daemon stands on goes away while the page is open, and comes back: tmux, PostgreSQL.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilPhase } from '../helpers/faults.ts'
import { usePostgres } from '../helpers/postgres.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { expectLive, expectNoErrors, type PageWorld, startPageWorld } from './lib/page-world.ts'

const QUICK = 'backoff.base: 50ms\nbackoff.cap: 200ms\nreconcile.interval: 300ms\n'

test('a tmux server that is killed: the page shows the death, the next run and its screen, without a reload', async () => {
  const world = await startPageWorld({ config: QUICK, retries: 5 })
  const id = await world.run('do: say before\ndo: hang', '--mode', 'interactive', '--title', 'In a terminal')
  const before = await untilPhase(world, id, 'working')
  const { page } = await world.signIn()
  const health = await page.context().newPage()
  await world.visit(health, '/health')
  const tmux = health.getByRole('article', { name: 'tmux' })
  await tmux.getByText('up', { exact: true }).waitFor()
  await world.visit(page, `/tasks/${id}/screen`)
  const screen = page.getByLabel("The agent's screen")
  await screen.getByText('before').waitFor()
  const watcher = await page.context().newPage()
  await world.visit(watcher, `/tasks/${id}/screen`)
  await watcher.getByRole('button', { name: 'Live terminal' }).click()
  const terminal = watcher.getByRole('region', { name: 'Live terminal' })
  await terminal.getByText('before').first().waitFor()
  const runs = page.getByLabel('Timeline')
  expect(await runs.getByText('✕').count()).toBe(0)
  const pid = await world.tmuxPid()
  process.kill(pid, 'SIGKILL')
  await runs.getByText('✕').first().waitFor({ timeout: 30_000 })
  await runs.getByRole('button', { name: /^2 / }).waitFor({ timeout: 30_000 })
  await page.locator('h1').getByText('works', { exact: true }).waitFor({ timeout: 30_000 })
  await page.getByRole('tabpanel').getByText('live', { exact: true }).waitFor()
  await screen.getByText('before').waitFor()
  expect((await world.status(id)).run_id).not.toBe(before.run_id)
  await tmux.getByText('up', { exact: true }).waitFor()
  // A terminal that is gone is not called live: it says so, and what is shown instead is that of the next run.
  await watcher.getByRole('alert').getByText('The terminal was closed.').waitFor()
  await watcher.getByLabel("The agent's screen").getByText('before').waitFor()
  await watcher.getByRole('button', { name: 'Live terminal' }).click()
  await terminal.getByText('before').first().waitFor()
  await terminal.getByText('live', { exact: true }).waitFor()
  expectNoErrors(world)
})

/** Its server dies three times within a moment. */
async function wearOut(world: PageWorld): Promise<void> {
  for (let death = 1; death <= 3; death++) {
    const pid = await waitFor('a server', () => world.tmuxPid().catch(() => undefined))
    process.kill(pid, 'SIGKILL')
    await waitFor(`death ${death} to be handled`, async () => {
      const now = await world.tmuxPid().catch(() => undefined)
      return death < 3 ? now !== undefined && now !== pid : (await world.health()).tmux === 'given_up'
    })
  }
}

test('a tmux that died too often: who waits for it and why stands first, and is gone when a person had it tried', async () => {
  const world = await startPageWorld({ config: 'reconcile.interval: 300ms\n' })
  await world.ok(['up'])
  const { page } = await world.signIn()
  await wearOut(world)
  const id = await world.run('do: say one', '--mode', 'interactive', '--title', 'Needs a terminal')
  const card = page.getByRole('article', { name: 'tmux' })
  await card.getByText(/The tmux server died 3 times .* One task waits for a terminal\./).waitFor()
  await card.getByText(/The next try is at \d\d:\d\d, in (9|10) min/).waitFor()
  await page.getByRole('list', { name: 'Waiting' }).getByText('waits for tmux').waitFor()
  await card.getByRole('button', { name: 'Try it now' }).click()
  await card.waitFor({ state: 'detached' })
  await untilPhase(world, id, 'idle')
  await page.getByText('Nothing needs you.').waitFor()
  expectNoErrors(world)
})

const postgres = usePostgres()

/** What is dimmed, and how old it is, is said beside it. */
const dimmed = (page: Page) => page.locator('.opacity-60')

test('PostgreSQL stops and starts again: what was known stays, dimmed and with its age; it recovers without a reload', async () => {
  const world = await startPageWorld({
    config: `store.url: ${JSON.stringify(await postgres.freshUrl())}\n`,
  })
  const id = await world.run('do: say here\ndo: hang', '--title', 'Survives the store')
  await untilPhase(world, id, 'working')
  const { page: now, context } = await world.signIn()
  const [all, task] = [await context.newPage(), await context.newPage()]
  await world.visit(all, '/tasks')
  await world.visit(task, `/tasks/${id}`)
  const shown = [
    [now, 'Survives the store'],
    [all, 'Survives the store'],
    [task, 'here'],
  ] as const
  for (const [page, text] of shown) {
    await page.getByText(text, { exact: true }).waitFor()
    expect(await dimmed(page).count()).toBe(0)
    await page.evaluate('globalThis.notReloaded = true')
  }
  await postgres.stop()
  for (const [page, text] of shown) {
    await dimmed(page).getByText(text, { exact: true }).waitFor({ timeout: 30_000 })
    await page
      .getByText(/last heard/)
      .first()
      .waitFor()
    await page
      .getByRole('status')
      .getByText(/^The store failed: .* What is dimmed is what was last heard/)
      .waitFor({ timeout: 30_000 })
    expect(await page.getByText('The daemon does not answer').count()).toBe(0)
  }
  await task.getByRole('button', { name: 'Kill' }).click()
  await task.getByRole('dialog').getByRole('button', { name: 'Kill' }).click()
  await task
    .getByRole('dialog')
    .getByRole('alert')
    .getByText(/^The store failed/)
    .first()
    .waitFor({ timeout: 30_000 })
  await task.getByRole('button', { name: 'Leave it' }).click()
  await postgres.start()
  for (const [page] of shown) {
    await expectLive(page)
    await dimmed(page).first().waitFor({ state: 'detached', timeout: 30_000 })
    await page
      .getByText(/last heard/)
      .first()
      .waitFor({ state: 'detached' })
  }
  expect(await world.status(id)).toMatchObject({ status: 'RUNNING', phase: 'working' })
  await task.getByRole('button', { name: 'Kill' }).click()
  await task.getByRole('dialog').getByRole('button', { name: 'Kill' }).click()
  await task.locator('h1').getByText('killed', { exact: true }).waitFor()
  await all.getByRole('row').filter({ hasText: 'killed' }).waitFor()
  for (const [page] of shown) expect(await page.evaluate('globalThis.notReloaded')).toBe(true)
  expectNoErrors(world)
})
