// What an agent leaves behind: an output of 100 MB, and changed files.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

const output = '[role="log"]'

test('of an output of 100 MB the page holds the end, and loads earlier parts without losing the place', async () => {
  const world = await startPageWorld()
  const id = await world.run('do: flood 100000000\ndo: say the very end\ndo: finish ok')
  await world.ok(['monitor', id])
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}/output`)
  await page.getByText('the very end').waitFor()
  const held = () => page.locator(output).evaluate((log) => log.textContent?.length ?? 0)
  expect(await held()).toBeLessThan(200_000)
  const earlier = page.getByRole('button', { name: /Load earlier output \(10\d MB/ })
  await page.locator(output).evaluate((log) => log.scrollTo(0, 0))
  const before = await held()
  await earlier.click()
  await expect.poll(held).toBeGreaterThan(before)
  expect(await page.locator(output).evaluate((log) => log.scrollTop)).toBeGreaterThan(0)
  expectNoErrors(world)
})

test('what an agent changed is shown with its diff, and what it called a file is text', async () => {
  const world = await startPageWorld({
    prepare: async ({ project }) => {
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
          cwd: project,
        })
      git('init', '-q')
      git('commit', '-q', '--allow-empty', '-m', 'begin')
    },
  })
  const id = await world.run('do: wait 1\ndo: write <img/src=x>.txt <script>alert(1)</script>\ndo: finish ok')
  await world.ok(['monitor', id])
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}/changes`)
  await page.getByRole('button', { name: '<img/src=x>.txt' }).click()
  await page.getByText('+<script>alert(1)</script>').waitFor()
  expect(await page.locator('main img, main script').count()).toBe(0)
  expectNoErrors(world)
})
