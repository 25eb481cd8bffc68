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
