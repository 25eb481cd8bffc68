// Orders from the palette, by keyboard alone: the same as the buttons of the task's screen, with the same questions before them.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilPhase } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { axeFindings } from './lib/axe.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

const paletteOf = (page: Page) => page.getByRole('dialog', { name: 'Find a task, go somewhere' })

/** The orders that the palette offers, and those that have a button. */
async function ordersOn(page: Page) {
  await page.keyboard.press('Control+k')
  await page.keyboard.type('order ')
  const options = paletteOf(page).getByRole('option')
  await options.first().waitFor()
  const offered = await options.evaluateAll((all) => all.map((one) => one.firstElementChild?.textContent))
  await page.keyboard.press('Escape')
  await paletteOf(page).waitFor({ state: 'detached' })
  const buttons = page.locator('main header button:not([aria-label])')
  return { offered, buttons: await buttons.allTextContents() }
}

test('a task is answered, killed and resumed from the palette on its screen, and whatever is destroyed is asked first', async () => {
  const world = await startPageWorld()
  const id = await world.run(
    'do: ask Go? | yes | no\ndo: hang',
    ...['--title', 'Steered', '--mode', 'interactive'],
  )
  await untilPhase(world, id, 'asking')
  const { page } = await world.signIn()
  const palette = paletteOf(page)
  await world.visit(page, `/tasks/${id}`)
  await page.getByRole('button', { name: 'Kill' }).waitFor()

  await page.keyboard.press('Control+k')
  await palette.getByRole('option', { name: 'Answer 2: no' }).waitFor()
  // Nothing was chosen yet: Enter alone gives no order.
  await page.keyboard.press('Enter')
  expect(await palette.getByRole('option', { selected: true }).count()).toBe(0)
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.type('answer 2')
  await page.keyboard.press('Enter')
  await untilPhase(world, id, 'working')
  await waitFor('the answer to be heard', () => world.heard().some(({ heard }) => heard.includes('no')))

  expect(await ordersOn(page)).toEqual({ offered: ['Hand back', 'Kill'], buttons: ['Hand back', 'Kill'] })
  const sure = page.getByRole('dialog', { name: 'Kill “Steered”?' })
  const kill = async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('kill')
    await page.keyboard.press('Enter')
    await sure.waitFor()
  }
  await kill()
  await page.keyboard.press('Escape')
  await sure.waitFor({ state: 'detached' })
  expect(await world.status(id)).toMatchObject({ task_status: 'running', stopping: null })
  await kill()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await world.untilStatus(id, 'KILLED')
  await sure.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Archive' }).waitFor()
  const ended = ['Resume', 'Retry', 'Archive']
  expect(await ordersOn(page)).toEqual({ offered: ended, buttons: ended })
  // Somebody else is a moment earlier: the daemon refuses, and that is told.
  await page.route(`**/api/tasks/${id}/resume`, async (route) => {
    await world.ok(['resume', id])
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('resume')
  await page.keyboard.press('Enter')
  const told = page.getByRole('region', { name: 'Resume “Steered”' })
  await told.getByRole('alert').waitFor()
  expect(await told.getByRole('alert').innerText()).toContain(id)
  expect(await axeFindings(page)).toEqual([])
  await told.getByRole('button', { name: 'Put away' }).press('Enter')
  await told.waitFor({ state: 'detached' })
  expectNoErrors(world)
})

test('the palette is about the row with the focus; what it asks is answered only where it can be read', async () => {
  const world = await startPageWorld()
  const done = await world.run('do: finish well', '--title', 'Done', '--wait')
  const asks = await world.run(
    'do: ask Go? | yes | no\ndo: hang',
    ...['--title', 'Which way', '--mode', 'interactive'],
  )
  await untilPhase(world, asks, 'asking')
  const { page } = await world.signIn()
  const options = paletteOf(page).getByRole('option')
  await world.visit(page, '/tasks')
  await page.getByRole('link', { name: 'Done' }).focus()
  await page.keyboard.press('Control+k')
  await options.filter({ hasText: /^Archive.*Done$/ }).waitFor()
  await page.keyboard.type('arch')
  await page.keyboard.press('Enter')
  await waitFor('it to be archived', async () => (await world.status(done)).archived_at !== null)

  await page.getByRole('link', { name: 'Which way' }).focus()
  await page.keyboard.press('Control+k')
  await options.filter({ hasText: /^Kill.*Which way$/ }).waitFor()
  expect(await options.filter({ hasText: /^Answer 1/ }).count()).toBe(0)
  await page.keyboard.type('answer')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Which way' }).waitFor()
  await page.getByRole('button', { name: '1 yes' }).waitFor()
  await page.keyboard.press('a')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('1 yes')

  await world.visit(page, '/tasks')
  await page.getByRole('link', { name: 'Which way' }).focus()
  await page.keyboard.press('Control+k')
  await options.filter({ hasText: /^Send a prompt/ }).waitFor()
  await page.keyboard.type('send')
  await page.keyboard.press('Enter')
  await page.locator('#send:focus').waitFor()

  await world.visit(page, '/')
  await page.getByRole('article', { name: 'Which way' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Control+k')
  await options.filter({ hasText: /^Answer 1: yes/ }).waitFor()
  await page.keyboard.type('answer 1')
  await page.keyboard.press('Enter')
  await untilPhase(world, asks, 'working')
  expectNoErrors(world)
})
