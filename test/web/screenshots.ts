// Run by scripts/screenshots.mjs: a house with something on every screen, seen in light, in dark and on a phone.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PHONE } from './lib/browser.ts'
import { fillHouse, fillRuntimes } from './lib/full-house.ts'
import { startPageWorld } from './lib/page-world.ts'
import { smallPng } from './lib/small-png.ts'

const out = process.env.HOLDFAST_PICTURES!
const only = process.env.HOLDFAST_PICTURES_OF ?? ''

test('pictures of every screen', async () => {
  mkdirSync(out, { recursive: true })
  const world = await startPageWorld({ retries: 5, config: 'maxConcurrent: 8\nbackoff.base: 400ms\n' })
  makeRepository(world.project)
  const { thread, runtime } = await fillRuntimes(world)
  const { asks, works, terminal, done } = await fillHouse(world)
  const screens: [name: string, path: string, then?: (page: Page) => Promise<unknown>][] = [
    ['now', '/'],
    ['all', '/tasks'],
    ['board', '/tasks?view=board'],
    ['palette', '/', (page) => findInPalette(page, 're')],
    ['task', `/tasks/${works}`],
    ['task-asks', `/tasks/${asks}`],
    ['task-screen', `/tasks/${terminal}/screen`],
    ['task-terminal', `/tasks/${terminal}/screen`, openTerminal],
    ['task-changes', `/tasks/${works}/changes`, (page) => page.getByText('plan.md').first().click()],
    ['task-why', `/tasks/${works}/why`],
    ['task-inputs', `/tasks/${runtime.task_id}/inputs`],
    ['task-cost', `/tasks/${works}/cost`],
    ['task-done', `/tasks/${done}`],
    ['new', '/new'],
    ['runtimes', '/runtimes', (page) => page.getByRole('button', { name: 'Its story' }).first().click()],
    [
      'triggers',
      '/runtimes?show=triggers',
      (page) => page.getByRole('button', { name: 'Track' }).first().click(),
    ],
    ['threads', `/threads/${thread}`],
    ['limits', '/limits'],
    ['audit', '/audit'],
    ['health', '/health'],
  ]
  let bytes = 0
  for (const [look, options] of [
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { ...PHONE, colorScheme: 'light' }],
  ] as const) {
    const { page } = await world.signIn(options)
    for (const [name, path, then] of screens.filter(([name]) => name.startsWith(only))) {
      await world.visit(page, path)
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached', timeout: 15_000 })
      await then?.(page)
      await page.waitForTimeout(700)
      const picture = smallPng(await page.screenshot())
      writeFileSync(join(out, `${name}-${look}.png`), picture)
      bytes += picture.length
    }
  }
  expect(bytes, 'small enough for a repository').toBeLessThan(2_500_000)
})

/** So that what an agent writes is a change. */
function makeRepository(dir: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', dir, ...args])
  git('init', '-q')
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
