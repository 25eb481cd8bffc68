// Reading the output of a task while it works and when it ends.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { untilPhase } from '../helpers/faults.ts'
import { hiddenPartOf } from './lib/overflow.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

test('the end of an output stays in view while it grows; who reads further up stays at the same line, also when the task ends, until they follow again', async () => {
  const world = await startPageWorld()
  const lines = Array.from({ length: 200 }, (_, n) => `do: say this is line ${n}`).join('\n')
  const more = ['one', 'two', 'three'].map((word) => `do: wait-for ${word}\ndo: say line ${word}`).join('\n')
  const id = await world.run(`${lines}\n${more}\ndo: wait-for go\ndo: say the last words\ndo: finish ok`)
  const letSay = (word: string) => writeFileSync(join(world.project, word), '')
  await untilPhase(world, id, 'working')
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}/output`)
  const log = page.getByRole('log')
  const line = log.getByText('this is line 100', { exact: true })
  await log.getByText('this is line 199', { exact: true }).waitFor()
  const hidden = () => hiddenPartOf(log)
  expect((await hidden()).high).toBeGreaterThan(1000)
  await expect.poll(async () => (await hidden()).below).toBe(0)
  letSay('one')
  await log.getByText('line one', { exact: true }).waitFor()
  expect((await hidden()).below).toBe(0)
  const readLine = async () => {
    await line.evaluate((element) => element.scrollIntoView({ block: 'start' }))
    await page.getByRole('button', { name: 'Follow' }).waitFor()
  }
  await readLine()
  const placeInLog = async () => {
    const [inside, around] = [await line.boundingBox(), await log.boundingBox()]
    return Math.round(inside!.y - around!.y)
  }
  const before = await placeInLog()
  letSay('two')
  await log.getByText('line two', { exact: true }).waitFor()
  expect(await placeInLog()).toBe(before)
  await page.getByRole('button', { name: 'Follow' }).click()
  await expect.poll(async () => (await hidden()).below).toBe(0)
  await page.getByRole('button', { name: 'Follow' }).waitFor({ state: 'detached' })
  letSay('three')
  await log.getByText('line three', { exact: true }).waitFor()
  expect((await hidden()).below).toBe(0)
  await readLine()
  // An observer misses nothing, however short it is shown.
  await page.evaluate(`globalThis.toldEmpty = false
    new MutationObserver(() => { globalThis.toldEmpty ||= document.body.innerText.includes('has not written anything') })
      .observe(document.body, { subtree: true, childList: true })`)
  letSay('go')
  await page.locator('h1').getByText('done', { exact: true }).waitFor()
  await log.getByText('the last words', { exact: true }).first().waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'To the end' }).waitFor()
  expect(await placeInLog()).toBe(before)
  expect(await page.evaluate('globalThis.toldEmpty')).toBe(false)
  await page.getByRole('button', { name: 'To the end' }).click()
  await expect.poll(async () => (await hidden()).below).toBe(0)
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

test('where a run begins, the output has the time of it', async () => {
  const world = await startPageWorld({ retries: 2 })
  const id = await world.run(
    'do: append f.txt one\ndo: crash-lives 1 KILL\ndo: say again\ndo: finish ok',
    '--wait',
  )
  const { story } = await world.daemon.call('GET /api/tasks/:id/why', { id })
  const launched = story.filter(({ event }) => event === 'launched').map(({ at }) => at)
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}/output`)
  const log = page.getByRole('log')
  await log.getByText(/^run 2 resumes its session/).waitFor()
  const shown = await log.locator('time').evaluateAll((all) => all.map((one) => one.getAttribute('datetime')))
  expect(shown).toEqual(launched)
  expectNoErrors(world)
})
