// What an agent leaves behind: an output of 100 MB, changed files, tokens and cost.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilPhase } from '../helpers/faults.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

const output = '[role="log"]'

test('of an output of 100 MB the page holds the end, and loads earlier parts without losing the place', async () => {
  const world = await startPageWorld()
  const id = await world.run('do: flood 100000000\ndo: say the very end\ndo: finish ok')
  await world.ok(['monitor', id])
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}/output`)
  await page.getByRole('log').getByText('the very end').waitFor()
  const held = () => page.locator(output).evaluate((log) => log.textContent?.length ?? 0)
  expect(await held()).toBeLessThan(200_000)
  const earlier = page.getByRole('button', { name: /Load earlier output \(10\d MB/ })
  await page.locator(output).evaluate((log) => log.scrollTo(0, 0))
  const before = await held()
  const heightOf = async () =>
    (await page.getByRole('log').getByText('the very end').first().boundingBox())!.y
  const place = await heightOf()
  await earlier.click()
  await expect.poll(held).toBeGreaterThan(before)
  expect(Math.abs((await heightOf()) - place)).toBeLessThan(2)
  expectNoErrors(world)
})

const initRepository = ({ project }: { project: string }) => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: project })
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'begin')
}

test('what an agent changed is shown with its diff, and what it called a file is text', async () => {
  const world = await startPageWorld({
    prepare: async (world) => initRepository(world),
  })
  const id = await world.run('do: wait 1\ndo: write <img/src=x>.txt <script>alert(1)</script>\ndo: finish ok')
  await world.ok(['monitor', id])
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}/changes`)
  await page.getByRole('tabpanel').getByRole('button', { name: '<img/src=x>.txt' }).click()
  await page.getByText('+<script>alert(1)</script>').waitFor()
  expect(await page.locator('main img, main script').count()).toBe(0)
  expectNoErrors(world)
})

test('what an agent changed is asked again after news, but never sooner than 20 times as long as the answer took', async () => {
  const world = await startPageWorld({ prepare: async (world) => initRepository(world) })
  const id = await world.run('do: append one.txt a\ndo: wait-for go', '--converse')
  await untilPhase(world, id, 'working')
  const { page } = await world.signIn()
  const times: { asked: number; answered: number }[] = []
  // As slow as git in a large repository.
  await page.route('**/api/tasks/*/changes', async (route) => {
    const asked = performance.now()
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS))
    await route.continue()
    times.push({ asked, answered: performance.now() })
  })
  await world.visit(page, `/tasks/${id}/changes`)
  await page.getByRole('tabpanel').getByRole('button', { name: 'one.txt' }).waitFor()
  // News of the task, one after the other.
  const sent = ['two', 'three', 'four'].map((word) =>
    world.daemon.call('POST /api/tasks/:id/inputs', { id, body: { prompt: `do: say ${word}` } }),
  )
  writeFileSync(join(world.project, 'two.txt'), 'b')
  await page.getByRole('tabpanel').getByRole('button', { name: 'two.txt' }).waitFor({ timeout: 30_000 })
  const rests = times.slice(1).map(({ asked }, n) => asked - times[n]!.answered)
  expect(rests.length).toBeGreaterThan(0)
  expect(Math.min(...rests)).toBeGreaterThan(20 * ANSWER_MS * 0.95)
  await page.getByRole('tab', { name: 'Output' }).click()
  const before = times.length
  writeFileSync(join(world.project, 'go'), '')
  await page.getByRole('log').getByText('four', { exact: true }).waitFor()
  await Promise.all(sent)
  expect(times.length).toBe(before)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  expectNoErrors(world)
})
const ANSWER_MS = 200

/** How many points of the chart have the colour that a name of the page's palette has now. */
const pointsOf = (page: Page, name: string) =>
  page.locator('canvas').evaluate((element, colour) => {
    const canvas = element as unknown as Canvas
    const { width, height } = canvas
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height)
    const style = getComputedStyle(canvas).getPropertyValue(colour).trim()
    const wanted = [1, 3, 5].map((at) => Number.parseInt(style.slice(at, at + 2), 16))
    let found = 0
    for (let at = 0; at < data.length; at += 4)
      if (wanted.every((value, part) => Math.abs(data[at + part]! - value) < 32)) found += 1
    return found
  }, name)
/** What tests know of a browser. */
type Canvas = {
  width: number
  height: number
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, width: number, height: number): { data: Uint8Array }
  }
}
declare const getComputedStyle: (element: unknown) => { getPropertyValue(name: string): string }

test('tokens and cost are drawn over time, and the figures under the pointer are the agent’s own', async () => {
  const world = await startPageWorld()
  const id = await world.run(
    'do: usage 1000 100 0.5\ndo: wait 3\ndo: usage 3000 500 0.25\ndo: wait 2\ndo: usage 2000 50 1.25\ndo: say usage: 9 tokens in, 9 out\ndo: finish ok',
  )
  await world.untilStatus(id, 'COMPLETED')
  expect(await world.status(id)).toMatchObject({ tokens_in: 6000, tokens_out: 650, cost_usd: 2 })
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}/cost`)
  const chart = page.getByRole('img', { name: 'Tokens and cost over time' })
  const box = (await chart.locator('.u-over').boundingBox())!
  const figures = page.getByRole('tabpanel').getByRole('definition')
  await expect.poll(() => figures.allInnerTexts()).toEqual(['6 k', '650', '$2.00'])
  const shownAt = async (share: number) => {
    await page.mouse.move(box.x + box.width * share, box.y + box.height / 2)
    // Figures are drawn with the next frame.
    await page.evaluate('new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))')
    return await figures.allInnerTexts()
  }
  const seen = async () => {
    const all: string[] = []
    for (let share = 0.02; share < 1; share += 0.04) all.push((await shownAt(share)).join(' '))
    return all.filter((told, at) => told !== all[at - 1])
  }
  await expect
    .poll(seen, { timeout: 20_000 })
    .toEqual(['0 0 $0', '1 k 100 $0.50', '4 k 600 $0.75', '6 k 650 $2.00'])
  for (const colour of ['--teal', '--indigo', '--amber'])
    expect(await pointsOf(page, colour), colour).toBeGreaterThan(100)
  expectNoErrors(world)
})

test('where an agent reported tokens and no cost, no cost is drawn', async () => {
  const world = await startPageWorld()
  const id = await world.run('do: usage 1000 100 0\ndo: wait 1\ndo: usage 3000 500 0\ndo: finish ok')
  await world.untilStatus(id, 'COMPLETED')
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}/cost`)
  const chart = page.getByRole('img', { name: 'Tokens over time' })
  await chart.waitFor()
  expect(await page.getByRole('tabpanel').getByRole('term').allInnerTexts()).toEqual([
    'Tokens in',
    'Tokens out',
  ])
  expect(await pointsOf(page, '--amber')).toBe(0)
  expectNoErrors(world)
})

test('where an agent reported neither tokens nor cost, the page says so and draws nothing', async () => {
  const world = await startPageWorld()
  const id = await world.run('do: say usage is what I talk about\ndo: finish ok')
  await world.untilStatus(id, 'COMPLETED')
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}/cost`)
  await page.getByText('The agent has reported no tokens and no cost.').waitFor()
  expect(await page.locator('canvas').count()).toBe(0)
  expectNoErrors(world)
})
