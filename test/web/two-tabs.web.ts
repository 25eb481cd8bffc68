// Two and more tabs of one daemon, and pages of two daemons in one browser.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilPhase } from '../helpers/faults.ts'
import { expectLive, expectNoErrors, startPageWorld } from './lib/page-world.ts'

/** Answers wait until so many of them are on their way, and go on together. */
async function sendTogether(context: BrowserContext, count: number): Promise<void> {
  let waiting = 0
  let letGo = () => {}
  const all = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await context.route('**/api/tasks/*/answer', async (route) => {
    waiting += 1
    if (waiting === count) letGo()
    await all
    await route.continue()
  })
}

test.each([
  ['on the first screen', () => '/'],
  ['on the screen of the task', (id: string) => `/tasks/${id}`],
])(
  'two tabs answer one question in the same moment, %s: one answer counts, the agent hears it, and the other tab says so',
  async (_, pathOf) => {
    const world = await startPageWorld()
    const { page, context } = await world.signIn()
    const other = await context.newPage()
    const id = await world.run(
      'do: ask Which colour? | red | blue\ndo: wait-for go\ndo: say over',
      '--converse',
    )
    for (const one of [page, other]) {
      await world.visit(one, pathOf(id))
      await one.getByRole('button', { name: '1 red' }).waitFor()
    }
    await sendTogether(context, 2)
    await Promise.all([
      page.getByRole('button', { name: '1 red' }).click(),
      other.getByRole('button', { name: '2 blue' }).click(),
    ])
    await page.getByRole('alert').or(page.getByText('The dialog closed.')).first().waitFor()
    const { entries } = await world.daemon.call('GET /api/audit', {
      query: { task: id, kind: 'question_answered' },
    })
    expect(entries).toHaveLength(1)
    const isRed = entries[0]!.detail.endsWith('→ red')
    const [first, late] = isRed ? [page, other] : [other, page]
    const [counts, lost] = isRed ? ['red', 'blue'] : ['blue', 'red']
    await first.getByText('The dialog closed.').waitFor()
    const told = late.getByRole('alert').filter({ hasText: `Your answer “${lost}” was not taken` })
    await told.getByText(counts, { exact: true }).waitFor()
    expect(await late.getByText('The dialog closed.').count()).toBe(0)
    for (const one of [page, other])
      expect(await one.getByRole('button', { name: /^[12] (red|blue)$/ }).count()).toBe(0)
    writeFileSync(join(world.project, 'go'), '')
    await untilPhase(world, id, 'idle')
    expect((await world.ok(['logs', id])).match(/^answer: .*$/gm)).toEqual([`answer: ${counts}`])
    await late.getByRole('button', { name: 'Put away' }).click()
    await told.waitFor({ state: 'detached' })
    expectNoErrors(world)
  },
)

test('the pages of two daemons in one browser: each shows and orders its own, and stays signed in beside the other', async () => {
  const [one, other] = [await startPageWorld(), await startPageWorld()]
  const { page: first, context } = await one.signIn()
  const { page: second } = await other.signIn({}, context)
  const ids = [
    await one.run('do: hang', '--title', 'Of the first'),
    await other.run('do: hang', '--title', 'Of the second'),
  ] as const
  for (const page of [first, second]) {
    await page.reload()
    await expectLive(page)
  }
  await first.getByText('Of the first').waitFor()
  await second.getByText('Of the second').waitFor()
  expect(await first.getByText('Of the second').count()).toBe(0)
  expect(await second.getByText('Of the first').count()).toBe(0)
  await one.visit(first, `/tasks/${ids[0]}`)
  await first.getByRole('button', { name: 'Kill' }).click()
  await first.getByRole('dialog').getByRole('button', { name: 'Kill' }).click()
  await first.locator('h1').getByText('killed', { exact: true }).waitFor()
  expect(await other.status(ids[1])).toMatchObject({ status: 'RUNNING' })
  await one.killDaemon()
  await first.locator('[data-live="cut_off"]').first().waitFor({ state: 'attached' })
  await other.run('do: hang', '--title', 'Begun later')
  await second.getByText('Begun later').waitFor()
  for (const world of [one, other]) expectNoErrors(world)
})

test('eight tabs are live at once, and stay so when the first of them is closed', async () => {
  const world = await startPageWorld()
  const { page: first, context } = await world.signIn()
  const tabs = await Promise.all(Array.from({ length: 7 }, () => context.newPage()))
  for (const tab of tabs) await world.visit(tab, '/')
  await first.close()
  const id = await world.run('do: hang', '--title', 'Seen by all')
  for (const tab of tabs) await tab.getByText('Seen by all').waitFor()
  // A worker that lost its daemon finds the next one, and all tabs hear of it.
  await world.killDaemon()
  for (const tab of tabs) await tab.locator('[data-live="cut_off"]').first().waitFor({ state: 'attached' })
  await world.ok(['list'])
  for (const tab of tabs) await expectLive(tab)
  await world.ok(['kill', id, '--force'])
  for (const tab of tabs)
    await tab.getByRole('list', { name: 'Ended today' }).getByText('Seen by all').waitFor()
  expectNoErrors(world)
})

/** In the browser, before the page's own code. */
const WITHOUT = {
  workers: 'delete globalThis.SharedWorker',
  script: 'globalThis.SharedWorker = class extends SharedWorker { constructor() { super("/gone.js") } }',
}

test('a browser without shared workers, or that cannot load their script, is live all the same', async () => {
  const world = await startPageWorld()
  const pages = []
  for (const script of Object.values(WITHOUT)) {
    const { page, context } = await world.signIn()
    await context.addInitScript(script)
    await world.visit(page, '/')
    pages.push(page)
  }
  await world.run('do: hang', '--title', 'Begun later')
  for (const page of pages) await page.getByText('Begun later').waitFor()
  expectNoErrors(world, { but: /gone\.js/ })
})
