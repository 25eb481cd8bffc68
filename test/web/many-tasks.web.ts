import { expect, test } from 'vitest'
import { waitFor } from '../helpers/wait-for.ts'
import { insertTasks } from './lib/many-tasks.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

test('ten thousand tasks: the list scrolls to the last, draws only what is seen, and keeps its filter in the address', async () => {
  const world = await startPageWorld({
    prepare: ({ home, project }) => insertTasks(home, project, 10_000),
  })
  const { page } = await world.signIn()
  await world.visit(page, '/tasks')
  await page.getByText('10,000 tasks', { exact: true }).waitFor()
  const table = page.getByRole('table', { name: 'Tasks' })
  await table.getByText('Seeded task 10000', { exact: true }).waitFor()
  await page.locator('section[aria-label="Tasks"]').hover()
  await waitFor(
    'the last task',
    async () => {
      await page.mouse.wheel(0, 1_000_000)
      return (await table.getByText('Seeded task 1', { exact: true }).count()) > 0
    },
    60_000,
  )
  expect(await table.getByRole('row').count()).toBeLessThan(150)

  await page.getByRole('button', { name: 'Failed' }).click()
  await page.getByText('1,000 tasks', { exact: true }).waitFor()
  expect(new URL(page.url()).search).toBe('?status=failed')
  await page.reload()
  await page.getByText('1,000 tasks', { exact: true }).waitFor()
  // Figures are sorted from the largest, over all pages; filters and order stay in the address.
  await page.getByRole('button', { name: 'Time' }).click()
  await page
    .getByRole('columnheader', { name: 'Time' })
    .and(page.locator('[aria-sort="descending"]'))
    .waitFor()
  await page.getByLabel('Agent', { exact: true }).selectOption('scripted')
  await page.getByLabel('Project', { exact: true }).selectOption({ index: 1 })
  await page.getByText('1,000 tasks', { exact: true }).waitFor()
  expect([...new URL(page.url()).searchParams.keys()]).toEqual(['status', 'sort', 'agent', 'project'])
  await page.getByLabel('Find in titles').fill('task 9990')
  await table.getByText('Seeded task 9990', { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('q')).toBe('task 9990')
  await page.getByText('Seeded task 9990', { exact: true }).click()
  await page.getByRole('heading', { level: 1, name: /Seeded task 9990/ }).waitFor()
  await page.goBack()
  await table.getByText('Seeded task 9990', { exact: true }).waitFor()
  expectNoErrors(world)
})
