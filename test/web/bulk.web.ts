// Orders for several tasks of the list at once, one of which is refused: the others are carried out, and the page says which
// was not and why.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilPhase } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

const choose = async (page: Page, ...titles: string[]) => {
  for (const title of titles) await page.getByRole('checkbox', { name: `Choose ${title}` }).check()
}
const chosen = (page: Page) => page.getByRole('toolbar', { name: 'The chosen tasks' })
const confirm = async (page: Page, what: string) => {
  await chosen(page).getByRole('button', { name: what }).click()
  await page.getByRole('dialog').getByRole('button', { name: what }).click()
}

test('kill: those that work are ended; of one that had ended before, it says so', async () => {
  const world = await startPageWorld()
  const done = await world.run('do: finish ok', '--title', 'Was done')
  const ids = [
    await world.run('do: hang', '--title', 'First'),
    await world.run('do: hang', '--title', 'Second'),
  ]
  const spared = await world.run('do: hang', '--title', 'Not chosen')
  await world.untilStatus(done, 'COMPLETED')
  const { page } = await world.signIn()
  await world.visit(page, '/tasks')
  await choose(page, 'First', 'Second', 'Was done')
  await confirm(page, 'Kill')
  await page.getByText('2 of 3 killed, 1 had ended already.').waitFor()
  for (const id of ids) expect(await world.status(id)).toMatchObject({ status: 'KILLED' })
  expect(await world.status(done)).toMatchObject({ status: 'COMPLETED' })
  expect(await world.status(spared)).toMatchObject({ status: 'RUNNING' })
  expectNoErrors(world)
})

test('kill: a task that was removed meanwhile is not chosen any more, and keeps nobody from killing the others', async () => {
  const world = await startPageWorld()
  const gone = await world.run('do: finish ok', '--title', 'Goes away')
  const id = await world.run('do: hang', '--title', 'Stays')
  await world.untilStatus(gone, 'COMPLETED')
  const { page } = await world.signIn()
  await world.visit(page, '/tasks')
  await choose(page, 'Goes away', 'Stays')
  await chosen(page).getByText('2 tasks chosen').waitFor()
  await world.ok(['rm', gone, '--force'])
  await chosen(page).getByText('one task chosen').waitFor()
  await confirm(page, 'Kill')
  await page.getByText('1 of 1 killed.').waitFor()
  expect(await world.status(id)).toMatchObject({ status: 'KILLED' })
  expectNoErrors(world)
})

test('another filter, other words or the board choose none: no order reaches a task that is not in view', async () => {
  const world = await startPageWorld()
  await world.run('do: hang', '--title', 'First', '--tag', 'mine')
  await world.run('do: hang', '--title', 'Second', '--tag', 'mine')
  const { page } = await world.signIn()
  await world.visit(page, '/tasks')
  const choices: readonly (() => Promise<void>)[] = [
    () => page.getByRole('button', { name: 'At work' }).click(),
    () => page.getByLabel('Find in titles').fill('Second'),
    () => page.getByLabel('Tag').fill('mine'),
    () => page.getByRole('button', { name: 'Board' }).click(),
  ]
  await choose(page, 'First')
  for (const change of choices) {
    await chosen(page).getByText('one task chosen').waitFor()
    await change()
    await chosen(page).waitFor({ state: 'detached' })
    if (change !== choices.at(-1)) await choose(page, 'Second')
  }
  await page.getByRole('button', { name: 'Table' }).click()
  await page.getByRole('checkbox', { name: 'Choose Second' }).waitFor()
  expect(await chosen(page).count()).toBe(0)
  expectNoErrors(world)
})

test('archive: a task that still works is refused by name, with the reason; the other one is archived', async () => {
  const world = await startPageWorld()
  const done = await world.run('do: finish ok', '--title', 'Was done')
  const works = await world.run('do: hang', '--title', 'Still works')
  await world.untilStatus(done, 'COMPLETED')
  await untilPhase(world, works, 'working')
  const { page } = await world.signIn()
  await world.visit(page, '/tasks')
  await choose(page, 'Was done', 'Still works')
  await chosen(page).getByRole('button', { name: 'Archive' }).click()
  await page.getByText('1 of 2 archived.').waitFor()
  const refused = page.getByRole('list', { name: 'Refused' }).getByRole('listitem')
  expect(await refused.count()).toBe(1)
  expect(await refused.innerText()).toMatch(/^Still works .*(active|not ended|works)/i)
  expect(await refused.getByRole('link').getAttribute('href')).toBe(`/tasks/${works}`)
  expect((await world.status(done)).archived_at).not.toBeNull()
  expect((await world.status(works)).archived_at).toBeNull()
  expectNoErrors(world)
})

test('retry: a task that works is refused by name, with the reason; the others start again', async () => {
  const world = await startPageWorld()
  const ids = [
    await world.run('do: finish one', '--title', 'First'),
    await world.run('do: finish two', '--title', 'Second'),
  ]
  for (const id of ids) await world.untilStatus(id, 'COMPLETED')
  const works = await world.run('do: hang', '--title', 'Still works')
  await untilPhase(world, works, 'working')
  const { page } = await world.signIn()
  await world.visit(page, '/tasks')
  await choose(page, 'First', 'Still works', 'Second')
  await confirm(page, 'Retry')
  await page.getByText('2 of 3 started again.').waitFor()
  const refused = page.getByRole('list', { name: 'Refused' }).getByRole('listitem')
  expect(await refused.allInnerTexts()).toEqual([expect.stringMatching(/^Still works ./)])
  for (const id of ids) {
    const { runs } = await world.daemon.call('GET /api/tasks/:id/why', { id })
    expect(runs.map(({ how }) => how)).toEqual(['start', 'fresh'])
  }
  expectNoErrors(world)
})

test('answer: one answer for all; a task that asks nothing is refused by name, with the reason', async () => {
  const world = await startPageWorld()
  const ask = 'do: ask May I? | Yes | No\ndo: wait-for go'
  const ids = [
    await world.run(ask, '--converse', '--title', 'First'),
    await world.run(ask, '--converse', '--title', 'Second'),
  ]
  for (const id of ids) await untilPhase(world, id, 'asking')
  const works = await world.run('do: hang', '--title', 'Asks nothing')
  await untilPhase(world, works, 'working')
  const { page } = await world.signIn()
  await world.visit(page, '/tasks')
  await choose(page, 'First', 'Asks nothing', 'Second')
  await page.getByLabel('One answer for all of them').fill('Yes')
  await chosen(page).getByRole('button', { name: 'Answer', exact: true }).click()
  await page.getByText('2 of 3 answered.').waitFor()
  const refused = page.getByRole('list', { name: 'Refused' }).getByRole('listitem')
  expect(await refused.allInnerTexts()).toEqual([expect.stringMatching(/^Asks nothing .*no open question/)])
  for (const id of ids) {
    await untilPhase(world, id, 'working')
    expect(await world.ok(['logs', id])).toContain('answer: Yes')
  }
  await page.getByRole('button', { name: 'Put away' }).click()
  await page.getByText('2 of 3 answered.').waitFor({ state: 'detached' })
  expectNoErrors(world)
})

test('answer: a question that came up while others were answered is not answered by what was meant for the one before', async () => {
  const world = await startPageWorld()
  const first = await world.run(
    'do: ask May I? | Yes | No\ndo: wait-for go',
    '--converse',
    '--title',
    'First',
  )
  const second = await world.run(
    'do: ask May I? | Yes | No\ndo: ask Delete everything? | Yes | No\ndo: wait-for go',
    '--converse',
    '--title',
    'Second',
  )
  for (const id of [first, second]) await untilPhase(world, id, 'asking')
  const { page } = await world.signIn()
  await world.visit(page, '/tasks')
  await choose(page, 'First', 'Second')
  await page.route(`**/api/tasks/${first}/answer`, async (route) => {
    await world.ok(['answer', second, 'No'])
    await waitFor('the other question', async () => (await world.status(second)).questions[0]?.number === 2)
    await route.continue()
  })
  await page.getByLabel('One answer for all of them').fill('Yes')
  await chosen(page).getByRole('button', { name: 'Answer', exact: true }).click()
  const refused = page.getByRole('list', { name: 'Refused' }).getByRole('listitem')
  await refused.getByText(/no open question 1/).waitFor()
  expect(await refused.allInnerTexts()).toEqual([expect.stringMatching(/^Second /)])
  await page.getByText('1 of 2 answered.').waitFor()
  const { questions } = await world.status(second)
  expect(questions.map(({ question }) => question)).toEqual(['Delete everything?'])
  expectNoErrors(world)
})

test('what is chosen while an order is under way stays chosen, beside what came of the order', async () => {
  const world = await startPageWorld()
  const ids = [
    await world.run('do: finish one', '--title', 'First'),
    await world.run('do: finish two', '--title', 'Second'),
  ]
  for (const id of ids) await world.untilStatus(id, 'COMPLETED')
  const { page } = await world.signIn()
  await world.visit(page, '/tasks')
  await choose(page, 'First')
  let letGo = () => {}
  const gone = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/api/tasks/archive', async (route) => {
    await gone
    await route.continue()
  })
  await chosen(page).getByRole('button', { name: 'Archive' }).click()
  await choose(page, 'Second')
  letGo()
  await page.getByText('1 of 1 archived.').waitFor()
  await chosen(page).getByText('one task chosen').waitFor()
  expect((await world.status(ids[1]!)).archived_at).toBeNull()
  expectNoErrors(world)
})
