// Windows above the page: where the focus goes, and what becomes of an order that is refused in one.
import { expect, test } from 'vitest'
import { untilPhase } from '../helpers/faults.ts'
import { startPageWorld } from './lib/page-world.ts'

const FOCUSED = 'document.activeElement?.textContent'

test('a window that closes gives the focus back to the button that opened it', async () => {
  const world = await startPageWorld()
  const id = await world.run('do: hang')
  await untilPhase(world, id, 'working')
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}`)
  const kill = page.getByRole('button', { name: 'Kill' })
  for (const leave of [
    () => page.getByRole('button', { name: 'Leave it' }).click(),
    () => page.keyboard.press('Escape'),
  ]) {
    await kill.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await leave()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate(FOCUSED)).toBe('Kill')
  }
})

test('a window stays open while its order is under way, says why it was refused, and has forgotten it the next time', async () => {
  const world = await startPageWorld()
  const id = await world.run('do: hang')
  await untilPhase(world, id, 'working')
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}`)
  let letGo = () => {}
  const gone = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/api/tasks/*/kill', async (route) => {
    await gone
    await route.fulfill({ status: 409, json: { code: 'TASK_ACTIVE', message: 'Not in this moment.' } })
  })
  await page.getByRole('button', { name: 'Kill' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Kill' }).click()
  await dialog.getByRole('button', { name: 'Kill', disabled: true }).waitFor()
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  expect(await dialog.isVisible()).toBe(true)
  letGo()
  await dialog.getByText('Not in this moment.').waitFor()
  await dialog.getByRole('button', { name: 'Leave it' }).click()
  await page.getByRole('button', { name: 'Kill' }).click()
  await dialog.waitFor()
  expect(await dialog.getByText('Not in this moment.').count()).toBe(0)
})
