// Directories and roles that appear while somebody looks: no event tells of them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

const HINT = 'Agents may work nowhere yet.'

test('a directory that is allowed, and a role that is written, while the forms are open can be chosen without a reload', {
  timeout: 150_000,
}, async () => {
  const world = await startPageWorld()
  const { page, context } = await world.signIn()
  const runtimes = await context.newPage()
  await world.visit(runtimes, '/runtimes')
  await runtimes.getByRole('button', { name: 'Start a runtime' }).click()
  await world.visit(page, '/new')
  for (const one of [runtimes, page]) await one.getByText(HINT).waitFor()
  await world.ok(['workspace', 'add', world.project])
  for (const one of [runtimes, page])
    await expect
      .poll(() => one.getByLabel('Directory').locator('option').allInnerTexts(), { timeout: 20_000 })
      .toEqual([world.project])
  await page.getByLabel('What is to be done').fill('do: finish')
  mkdirSync(join(world.project, 'agents/reviewer'), { recursive: true })
  writeFileSync(
    join(world.project, 'agents/reviewer/reviewer-agent.md'),
    '---\nname: reviewer\ndescription: Reads every change.\n---\nYou review changes.\n',
  )
  await expect
    .poll(() => page.getByLabel('Role').locator('option').allInnerTexts(), { timeout: 20_000 })
    .toEqual(['none', 'reviewer'])
  expect(await page.getByLabel('What is to be done').inputValue()).toBe('do: finish')
  await world.visit(page, '/health')
  // Each agent that is found is asked for its version first.
  await page.getByText(/^Looked for (just now|\d+ s ago)\.$/).waitFor({ timeout: 60_000 })
  expectNoErrors(world)
})
