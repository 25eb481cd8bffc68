// The first screen says only what it knows.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { setClockOff, zoneOfNoon } from './lib/browser-time.ts'
import { insertTasks, setEnds } from './lib/many-tasks.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

const HOUR = 3_600_000

/** Of 300 tasks that ended long ago, the oldest ended lately: 1 to 30 on this day of a browser at noon, 31 on the day before. */
async function startWithOldTasks() {
  const now = Date.now()
  const today = Array.from({ length: 30 }, (_, index) => [index + 1, now - 11 * HOUR - index] as const)
  return await startPageWorld({
    prepare: async ({ home, project }) => {
      await insertTasks(home, project, 300)
      setEnds(home, new Map([...today, [1, now - HOUR], [31, now - 13 * HOUR]]))
    },
  })
}

test('while it is not known which tasks there are, the page does not say that nothing needs anybody; then it says so, and which command starts an agent', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn()
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/tasks/active*', async (route) => {
    await held
    await route.continue()
  })
  const questions = page.waitForResponse('**/api/questions')
  await world.visit(page, '/')
  await (await questions).finished()
  await page.getByRole('heading', { name: 'Needs you' }).waitFor()
  const nothing = page.getByText('Nothing needs you.')
  expect(await nothing.count()).toBe(0)
  const command = page.getByRole('button', { name: 'Copy holdfast run "fix the failing login test"' })
  expect(await command.count()).toBe(0)
  answer()
  await nothing.waitFor()
  await page.getByText('No agent works. A sentence is enough to start one:').waitFor()
  await command.waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  expectNoErrors(world)
})

test('a row at work says what its agent does, on its screen or by its words, and never that it is a process', async () => {
  const world = await startPageWorld({ config: 'maxConcurrent: 8\n' })
  await world.run('do: say I begin.\ndo: tool 600 npm run build', '--title', 'Builds')
  const terminal = ['--mode', 'interactive', '--title', 'Reads']
  await world.run('do: say I read the schema.\ndo: hang', ...terminal)
  await world.run('do: limit 5400', '--title', 'Waits')
  const { page } = await world.signIn()
  // Rows out of sight ask for nothing.
  await world.visit(page, '/health')
  const asked: string[] = []
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  await page.setViewportSize({ width: 1280, height: 110 })
  await world.visit(page, '/')
  await page.getByRole('heading', { name: /^At work/ }).waitFor()
  await page.getByRole('listitem').first().waitFor()
  expect(asked.filter((path) => /\/(screen|output|why)$/.test(path))).toEqual([])
  await page.setViewportSize({ width: 1280, height: 900 })
  const rowOf = (title: string) => page.getByRole('listitem').filter({ hasText: title })
  await rowOf('Builds').getByText('runs npm run build').waitFor()
  await rowOf('Builds').getByRole('img', { name: 'Tool calls in the last 15 minutes' }).waitFor()
  await rowOf('Reads').getByText('I read the schema.').waitFor()
  // When it goes on stands whole at the right.
  await rowOf('Waits')
    .getByText(/^in 1 h (29|30) min$/)
    .waitFor()
  expect(await page.getByText('runs as process').count()).toBe(0)
  expectNoErrors(world)
})

test('of lists that the page did not load whole, it says how many there are or more', async () => {
  const world = await startPageWorld()
  const done = await world.run('do: finish ok', '--title', 'Was done')
  await world.untilStatus(done, 'COMPLETED')
  await world.run('do: hang', '--title', 'Works')
  const { page } = await world.signIn()
  await page.getByRole('heading', { name: /^Ended today 1$/ }).waitFor()
  await page.getByRole('heading', { name: /^At work 1, up to/ }).waitFor()
  // As if more followed than the page asks for.
  const endless = async (route: Route) => {
    const isFirst = !new URL(route.request().url()).searchParams.has('after')
    const json = await (await route.fetch()).json()
    await route.fulfill({ json: { ...json, tasks: isFirst ? json.tasks : [], next: 'more' } })
  }
  await page.route(/\/api\/tasks(\/active)?\?/, endless)
  await world.visit(page, '/')
  await page.getByRole('heading', { name: /^At work 1 or more, up to/ }).waitFor()
  await page.getByRole('heading', { name: /^Waiting 0 or more$/ }).waitFor()
  await page.getByText('Nothing among the 1 newest tasks needs you.').waitFor()
  // What has ended is counted by the daemon.
  await page.getByRole('heading', { name: /^Ended today 1$/ }).waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  expectNoErrors(world)
})

test('what ended on the reader’s own day is shown and counted, however long ago it was created; what ends meanwhile comes first', async () => {
  const world = await startWithOldTasks()
  const { page } = await world.signIn({ timezoneId: zoneOfNoon() })
  await page.getByRole('heading', { name: /^Ended today 30$/ }).waitFor()
  const rows = page.getByRole('list', { name: 'Ended today' }).getByRole('listitem')
  expect(await rows.count()).toBe(25)
  expect(await rows.first().innerText()).toMatch(/Seeded task 1\b/)
  expect(await rows.nth(1).innerText()).toMatch(/Seeded task 2\b/)
  await page.getByRole('link', { name: '5 more' }).waitFor()
  const id = await world.run('do: wait-for go\ndo: finish ok', '--title', 'Ends while it is looked at')
  await page.getByRole('list', { name: 'At work' }).getByText('Ends while it is looked at').waitFor()
  writeFileSync(join(world.project, 'go'), '')
  await page.getByRole('heading', { name: /^Ended today 31$/ }).waitFor()
  expect(await rows.first().innerText()).toContain('Ends while it is looked at')
  await world.untilStatus(id, 'COMPLETED')
  await world.ok(['archive', id])
  await page.getByRole('heading', { name: /^Ended today 30$/ }).waitFor()
  expectNoErrors(world)
})

test.each([-14, 14])(
  'with the clock of the browser off by %d hours, what ended today is what ended today by the clock of the daemon',
  async (hours) => {
    const world = await startWithOldTasks()
    const { page, context } = await world.signIn({ timezoneId: zoneOfNoon() })
    await setClockOff(context, hours)
    await world.visit(page, '/')
    await page.getByRole('heading', { name: /^Ended today 30$/ }).waitFor()
    expectNoErrors(world)
  },
)

test('who waits for a slot stands in the order of the queue; those that have no row are found in the table; the table says when it has none', async () => {
  const world = await startPageWorld({ config: 'maxConcurrent: 1\n' })
  const { page } = await world.signIn()
  await world.visit(page, '/tasks')
  await page.getByText('There are no tasks yet.').waitFor()
  await world.run('do: hang', '--title', 'Works')
  const { env, project: dir } = world
  for (let number = 1; number <= 28; number += 1) {
    const body = { prompt: 'do: hang', dir, env, title: `Queued ${number}` }
    await world.daemon.call('POST /api/tasks', { body })
  }
  await world.visit(page, '/')
  await page.getByRole('heading', { name: /^Waiting 28$/ }).waitFor()
  const rows = page.getByRole('list', { name: 'Waiting' }).getByRole('listitem')
  await rows.getByText('next in the queue').waitFor()
  expect((await rows.allInnerTexts()).map((text) => /Queued \d+/.exec(text)?.[0])).toEqual(
    Array.from({ length: 25 }, (_, index) => `Queued ${index + 1}`),
  )
  expect(await rows.first().innerText()).toContain('next in the queue')
  await page.getByRole('link', { name: '3 more' }).click()
  await page.getByText('28 tasks', { exact: true }).waitFor()
  await page.getByLabel('Tag').fill('none has it')
  await page.getByText('No task matches these filters.').waitFor()
  expectNoErrors(world)
})

test('a runtime that works on a prompt stands among those at work, and says what it does', async () => {
  const world = await startPageWorld()
  await world.ok(['runtime', 'start', 'writer', '--agent', 'scripted'])
  const { page } = await world.signIn()
  await page.getByText('No agent works.').waitFor()
  await world.ok(['send', 'writer@project', 'do: say I write the notes.\ndo: wait-for go'])
  await page.getByRole('heading', { name: /^At work 0, up to 5 at once, and a runtime$/ }).waitFor()
  const row = page.getByRole('list', { name: 'At work' }).getByRole('listitem')
  await row.getByText('I write the notes.').waitFor()
  expect(await row.getByRole('link', { name: 'writer@project' }).count()).toBe(1)
  expect(await page.getByText('No agent works.').count()).toBe(0)
  writeFileSync(join(world.project, 'go'), '')
  await page.getByText('No agent works.').waitFor()
  expectNoErrors(world)
})
