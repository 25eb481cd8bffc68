// Reading the output of a task while it works and when it ends.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { untilPhase } from '../helpers/faults.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

test('when a task ends, who reads its output stays at the same line, and is never told that there is none', async () => {
  const world = await startPageWorld()
  const lines = Array.from({ length: 200 }, (_, n) => `do: say this is line ${n}`).join('\n')
  const id = await world.run(`${lines}\ndo: wait-for go\ndo: say the last words\ndo: finish ok`)
  await untilPhase(world, id, 'working')
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}/output`)
  const log = page.getByRole('log')
  const line = log.getByText('this is line 100', { exact: true })
  await log.getByText('this is line 199', { exact: true }).waitFor()
  await line.evaluate((element) => element.scrollIntoView({ block: 'start' }))
  await page.getByRole('button', { name: 'Follow' }).waitFor()
  const placeInLog = async () => {
    const [inside, around] = [await line.boundingBox(), await log.boundingBox()]
    return Math.round(inside!.y - around!.y)
  }
  const before = await placeInLog()
  // An observer misses nothing, however short it is shown.
  await page.evaluate(`globalThis.toldEmpty = false
    new MutationObserver(() => { globalThis.toldEmpty ||= document.body.innerText.includes('has not written anything') })
      .observe(document.body, { subtree: true, childList: true })`)
  writeFileSync(join(world.project, 'go'), '')
  await page.locator('h1').getByText('done', { exact: true }).waitFor()
  await log.getByText('the last words', { exact: true }).first().waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'To the end' }).waitFor()
  expect(await placeInLog()).toBe(before)
  expect(await page.evaluate('globalThis.toldEmpty')).toBe(false)
  expectNoErrors(world)
})

test('an output that is read in parts has every letter and every line whole', async () => {
  const world = await startPageWorld()
  const line = (n: number) => `${n} ${'ü🦀'.repeat(150)}.`
  const script = Array.from({ length: 250 }, (_, n) => `say ${line(n)}\n`).join('')
  writeFileSync(join(world.project, 'steps'), `${script}finish ok\n`)
  const id = await world.run('do: script steps')
  await world.ok(['monitor', id])
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}/output`)
  const log = page.getByRole('log')
  const said = async () =>
    (await log.locator('span + span').allTextContents()).filter((text) => /[ü🦀\uFFFD]/u.test(text))
  await log.getByText(line(249), { exact: true }).waitFor()
  const earlier = page.getByRole('button', { name: /Load earlier output/ })
  const first = (await said()).length
  expect(first).toBeLessThan(250)
  expect(await said()).toEqual(Array.from({ length: first }, (_, n) => line(250 - first + n)))
  for (let count = first; (await earlier.count()) > 0; count = (await said()).length) {
    await earlier.click()
    await expect.poll(async () => (await said()).length).toBeGreaterThan(count)
  }
  expect(await said()).toEqual(Array.from({ length: 250 }, (_, n) => line(n)))
  expectNoErrors(world)
})
