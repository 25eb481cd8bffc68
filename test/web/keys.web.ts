// What is done without a mouse: keys that lead somewhere, the palette that finds, and what may not move.
import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilPhase } from '../helpers/faults.ts'
import { insertTasks } from './lib/many-tasks.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

test('keys lead to every place, tab and card; the palette finds an old task and runs what it names', async () => {
  const world = await startPageWorld({ prepare: ({ home, project }) => insertTasks(home, project, 120) })
  const ids = []
  for (const title of ['First card', 'Second card'])
    ids.push(
      await world.run('do: ask Go? | yes | no\ndo: hang', ...['--title', title, '--mode', 'interactive']),
    )
  for (const id of ids) await untilPhase(world, id, 'asking')
  const { page } = await world.signIn({ colorScheme: 'light' })
  const isAt = (title: string) => page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
  for (const [letter, title] of [
    ['a', 'All tasks'],
    ['r', 'Runtimes'],
    ['t', 'Threads'],
    ['l', 'Limits'],
    ['u', 'Audit'],
    ['h', 'Health'],
    ['n', 'Now'],
  ] as const) {
    await page.keyboard.press('g')
    await page.keyboard.press(letter)
    await isAt(title)
  }
  await page.keyboard.press('c')
  await isAt('New task')
  await page.keyboard.press('g')
  await page.keyboard.press('n')
  await page.getByRole('article', { name: 'Second card' }).waitFor()
  const focusedCard = () =>
    page.evaluate('document.activeElement.closest("article")?.getAttribute("aria-label")')
  const seen: unknown[] = []
  for (const key of ['j', 'j', 'k']) {
    await page.keyboard.press(key)
    seen.push(await focusedCard())
  }
  expect(seen).toEqual(['First card', 'Second card', 'First card'])
  await page.keyboard.press('?')
  await page
    .getByRole('dialog', { name: 'Keyboard shortcuts' })
    .getByText('The next that needs you')
    .waitFor()
  await page.keyboard.press('Escape')

  await page.keyboard.press('/')
  const palette = page.getByRole('dialog', { name: 'Find a task, go somewhere' })
  await page.keyboard.type('seeded 7 7')
  await palette.getByRole('option', { name: 'Seeded task 77' }).waitFor()
  await page.keyboard.press('Escape')
  // The browser tells of it a moment later; until then Ctrl K would close it.
  await palette.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Theme')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  await page.keyboard.press('Control+k')
  // The oldest of more than a hundred.
  await page.keyboard.type('0000001')
  await palette.getByRole('option', { name: 'Seeded task 1' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: /^Seeded task 1 / }).waitFor()

  await world.visit(page, `/tasks/${ids[0]}`)
  for (const [digit, tab] of ['Output', 'Screen', 'Changes', 'Result', 'Verification', 'Why'].entries()) {
    await page.keyboard.press(String(digit + 1))
    await page.getByRole('tab', { name: tab, selected: true }).waitFor()
  }
  await page.keyboard.press('s')
  expect(await page.evaluate('document.activeElement.id')).toBe('send')

  // As if there were more tasks than the palette asks for.
  await page.route('**/api/tasks/rows?*', async (route: Route) => {
    if (route.request().url().includes('after='))
      return route.fulfill({ json: { rows: [], totals: null, next: 'more' } })
    const json = await (await route.fetch()).json()
    await route.fulfill({ json: { ...json, next: 'more' } })
  })
  await world.visit(page, '/')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('no such task')
  await palette
    .getByText(/^Nothing among the [\d,]+ newest tasks has these letters\. There are more/)
    .waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  expectNoErrors(world)
})

/** What moves on the screen, and what would move if it were pressed or waited for. */
const MOVING = `(() => {
  const busy = document.createElement('button')
  busy.className = 'pulse-soft'
  document.body.append(busy)
  const moves = [...document.querySelectorAll('*')].filter((element) => {
    const { animationName, transitionDuration } = getComputedStyle(element)
    return animationName !== 'none' || transitionDuration.split(', ').some((time) => time !== '0s')
  })
  busy.remove()
  return moves.length
})()`

test('whoever wants no motion sees none; others see what is under way', async () => {
  const world = await startPageWorld()
  await world.run('do: hang', '--title', 'Works')
  const { page } = await world.signIn()
  await page.getByText('Works').first().waitFor()
  const moving: unknown[] = []
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    await page.emulateMedia({ reducedMotion })
    moving.push(await page.evaluate(MOVING))
  }
  expect(moving).toEqual([0, 1])
  expectNoErrors(world)
})
