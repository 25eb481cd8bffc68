// Run by scripts/screenshots.mjs: a house with something on every screen, seen in light, in dark and on a phone.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PHONE } from './lib/browser.ts'
import { fillHouse, fillRuntimes, HOUSE } from './lib/full-house.ts'
import { startPageWorld } from './lib/page-world.ts'
import { smallPng } from './lib/small-png.ts'

const out = process.env.HOLDFAST_PICTURES!
const wanted = process.env.HOLDFAST_PICTURES_OF ?? ''

type Look = 'light' | 'dark' | 'phone'
type Shot = {
  readonly name: string
  readonly path: string
  readonly first?: (page: Page) => Promise<unknown>
  /** Where one look tells enough. */
  readonly only?: Look
}

test('pictures of every screen', async () => {
  mkdirSync(out, { recursive: true })
  const world = await startPageWorld({ retries: 5, config: HOUSE })
  makeRepository(world.project)
  const { thread, runtime } = await fillRuntimes(world)
  const { asks, works, terminal, done } = await fillHouse(world, { pace: 1 })
  const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click()
  const shots: Shot[] = [
    // First: its story is short enough to be seen whole.
    { name: 'task', path: `/tasks/${works}` },
    { name: 'now', path: '/' },
    { name: 'all', path: '/tasks' },
    { name: 'board', path: '/tasks?view=board' },
    { name: 'palette', path: '/', first: (page) => findInPalette(page, 're') },
    { name: 'task-asks', path: `/tasks/${asks}` },
    { name: 'task-screen', path: `/tasks/${terminal}/screen` },
    { name: 'task-terminal', path: `/tasks/${terminal}/screen`, first: openTerminal },
    {
      ...{ name: 'task-changes', path: `/tasks/${works}/changes` },
      first: (page) => page.getByText('plan.md').first().click(),
    },
    { name: 'task-result', path: `/tasks/${done}/result`, only: 'light' },
    { name: 'task-checks', path: `/tasks/${done}/checks`, only: 'light' },
    { name: 'task-why', path: `/tasks/${works}/why` },
    { name: 'task-inputs', path: `/tasks/${runtime.task_id}/inputs` },
    { name: 'task-children', path: `/tasks/${done}/children`, only: 'light' },
    { name: 'task-cost', path: `/tasks/${works}/cost` },
    { name: 'task-done', path: `/tasks/${done}` },
    { name: 'new', path: '/new' },
    { name: 'runtimes', path: '/runtimes', first: press('Its story') },
    { name: 'triggers', path: '/runtimes?show=triggers', first: press('Track') },
    { name: 'threads', path: `/threads/${thread}` },
    { name: 'limits', path: '/limits' },
    { name: 'audit', path: '/audit' },
    { name: 'health', path: '/health' },
    { name: 'more', path: '/more', only: 'phone' },
  ]
  const looks: [Look, Page][] = [
    ['light', (await world.signIn({ colorScheme: 'light' })).page],
    ['dark', (await world.signIn({ colorScheme: 'dark' })).page],
    ['phone', (await world.signIn({ ...PHONE, colorScheme: 'light' })).page],
  ]
  let bytes = 0
  for (const { name, path, first, only } of shots.filter(({ name }) => name.startsWith(wanted)))
    for (const [look, page] of looks.filter(([look]) => look === (only ?? look))) {
      await world.visit(page, path)
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached', timeout: 15_000 })
      await first?.(page)
      await page.waitForTimeout(700)
      const picture = smallPng(await page.screenshot())
      writeFileSync(join(out, `${name}-${look}.png`), picture)
      bytes += picture.length
    }
  expect(bytes, 'small enough for a repository').toBeLessThan(2_500_000)
})

/** So that what an agent writes is a change. */
function makeRepository(dir: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', dir, ...args])
  git('init', '-q')
  writeFileSync(join(dir, '.git/info/exclude'), 'steps/\n')
  writeFileSync(join(dir, 'README.md'), '# Sessions\n')
  git('add', '.')
  git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-qm', 'Begin')
}

/** A phone has no keys: it has a button. */
async function findInPalette(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Find a task, go somewhere' }).filter({ visible: true }).click()
  await page.getByRole('combobox').fill(text)
}

/** On a phone the screen is shown as text. */
async function openTerminal(page: Page): Promise<void> {
  const open = page.getByRole('button', { name: 'Live terminal' })
  if (!(await open.isVisible())) return
  await open.click()
  await page.getByText('live', { exact: true }).last().waitFor()
  await page.getByText('Working').first().waitFor()
}
