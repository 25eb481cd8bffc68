// What the tabs and the timeline of a task tell: what it was told, how it went, what it handed in, and what its checks found.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { untilPhase } from '../helpers/faults.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

test('inputs are parcels with their steps and evidence, the first prompt among them; the timeline tells why it failed, and has a park and a verification as bars; the result is shown whole; failed checks say why, and are run again', async () => {
  const world = await startPageWorld()
  const first = `Look at the parser.\n${'It is long. '.repeat(40)}\ndo: tool 0 npm test\ndo: say I am ready`
  const talks = await world.run(first, '--converse', '--title', 'Talks')
  await untilPhase(world, talks, 'idle')
  const checked = await world.run(
    'do: limit-until over 3600\ndo: result {"status":"success","files":7}\ndo: finish ok',
    ...['--title', 'Is checked', '--verify', 'file:missing.md'],
  )
  await untilPhase(world, checked, 'parked')
  writeFileSync(join(world.project, 'over'), '')
  await world.ok(['unpark', checked])
  await world.ok(['send', talks, 'do: say got it'])
  await world.untilStatus(checked, 'FAILED')
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${talks}/inputs`)
  const prompt = page.getByRole('region', { name: 'Prompt' })
  await prompt.getByRole('button', { name: 'Show the whole prompt' }).click()
  await prompt.getByText('do: say I am ready').waitFor()
  await page.getByRole('tab', { name: 'Inputs 2' }).waitFor()
  const parcels = page.getByRole('list', { name: 'Inputs' }).locator('> li')
  await parcels
    .nth(1)
    .getByText(/its first prompt, from .* · done$/)
    .waitFor()
  expect(await parcels.count()).toBe(2)
  expect(await parcels.nth(1).locator('p').first().textContent()).toBe(first)
  const sent = parcels.nth(0)
  await sent.getByText('do: say got it', { exact: true }).waitFor()
  await sent.locator('b').getByText('done', { exact: true }).waitFor()
  expect(await sent.locator('b').allInnerTexts()).toEqual(['queued', 'typed', 'submitted', 'done'])
  await sent
    .getByText(/^its own word: /)
    .first()
    .waitFor()
  const log = page.getByRole('log')
  await page.getByRole('tab', { name: 'Output' }).click()
  await log.getByText('tool done', { exact: true }).waitFor()
  const panel = page.getByRole('tabpanel')
  await page.getByRole('tab', { name: 'Result' }).click()
  await panel.getByText('It has not handed in a result yet.').waitFor()
  await panel.getByRole('button', { name: '/result.json' }).waitFor()

  await world.visit(page, `/tasks/${checked}/checks`)
  const timeline = page.getByLabel('Timeline')
  const told = timeline.getByRole('paragraph')
  // Nobody has pointed at anything.
  await told.getByText(/^incomplete: file missing\.md: does not exist/).waitFor()
  const found = panel.locator('section')
  await found.first().getByText('not verified', { exact: true }).waitFor()
  await found.first().getByLabel('failed').waitFor()
  await found.first().getByText('file missing.md').waitFor()
  await found.first().getByText('does not exist').waitFor()
  writeFileSync(join(world.project, 'missing.md'), 'here')
  await page.getByRole('button', { name: 'Check now' }).click()
  await found.first().getByText('verified', { exact: true }).waitFor()
  await found
    .first()
    .getByText(/on your request/)
    .waitFor()
  await found.first().getByLabel('passed').waitFor()
  expect(await world.status(checked)).toMatchObject({ status: 'FAILED' })
  for (const lane of ['Runs', 'Waits', 'Checks']) await timeline.getByText(lane, { exact: true }).waitFor()
  await timeline.getByRole('button', { name: /^parked, .*: Usage limit reached/ }).hover()
  await told.getByText('its own word: failure: limit').waitFor()
  await timeline
    .getByRole('button', { name: /^verifies, .*: the agent finished; its work is being verified$/ })
    .last()
    .hover()
  await told.getByText('its own word: result: ok').waitFor()
  await page.getByRole('tab', { name: 'Result' }).click()
  const result = await panel.getByRole('region', { name: 'Result' }).innerText()
  expect(JSON.parse(result)).toEqual({ status: 'success', files: 7 })
  expectNoErrors(world)
})
