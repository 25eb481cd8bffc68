// A task to which very much has happened.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { untilPhase } from '../helpers/faults.ts'
import { insertPast } from './lib/long-story.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

const STEPS = 5000

test('a living task with 5,000 events and steps: its screen holds few bars, says what it leaves out, and follows what happens next', async () => {
  const world = await startPageWorld()
  const id = await world.run('do: wait-for go\ndo: finish done', '--title', 'Has seen much')
  await untilPhase(world, id, 'working')
  await world.killDaemon()
  insertPast(world.home, id, STEPS)
  await world.ok(['up'])
  const { story } = await world.daemon.call('GET /api/tasks/:id/why', { id })
  expect(story.length).toBeGreaterThan(STEPS)
  const { page } = await world.signIn()
  await page.getByRole('link', { name: 'Has seen much' }).first().click()
  const line = page.getByLabel('Timeline')
  await line.getByRole('button').first().waitFor()
  expect(await line.getByRole('button').count()).toBeLessThan(1000)
  await line
    .getByRole('button', { name: /^\d+ times, at last: / })
    .first()
    .waitFor()
  // From here on nothing happens to it: what it does now is asked again and again, its story is not.
  const asked: string[] = []
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  for (let times = 0; times < 2; times += 1) {
    const answer = await page.waitForResponse(`**/api/tasks/${id}/runs?*`)
    expect((await answer.body()).length).toBeLessThan(20_000)
  }
  expect(asked).not.toContain(`/api/tasks/${id}/why`)
  await page.getByRole('tab', { name: 'Why' }).click()
  await page.getByText(`The last 300 of ${story.length.toLocaleString('en-US')} steps.`).waitFor()
  expect(await page.getByRole('tabpanel').getByRole('listitem').count()).toBe(300)
  await page.getByRole('tab', { name: 'Verification' }).click()
  await page.getByText('Its work was not checked yet.').waitFor()
  writeFileSync(join(world.project, 'go'), '')
  await page.locator('h1').getByText('done', { exact: true }).waitFor()
  expectNoErrors(world)
})
