// What people do on a phone: see what needs them, answer, press a key, stop.
import { expect, test } from 'vitest'
import { untilPhase } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { PHONE } from './lib/browser.ts'
import { hiddenPartOf } from './lib/overflow.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

test('on a phone the options come first, fill the width and can be hit with a thumb', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn(PHONE)
  const id = await world.run('do: ask May I? | Yes | No\ndo: wait-for go', '--converse')
  const yes = page.getByRole('button', { name: '1 Yes' })
  await yes.waitFor()
  const box = (await yes.boundingBox())!
  expect(box.width).toBeGreaterThan(300)
  expect(box.height).toBeGreaterThanOrEqual(40)
  expect(box.y + box.height).toBeLessThan(PHONE.viewport.height)
  await yes.tap()
  await page.getByText('The dialog closed.').waitFor()
  await untilPhase(world, id, 'working')
  expectNoErrors(world)
})

test('on a phone the screen of an agent is text, its keys answer a dialog and interrupt, and the pane keeps its size', async () => {
  const world = await startPageWorld()
  const id = await world.run(
    'do: ask Which colour? | red | blue\ndo: hang',
    ...['--mode', 'interactive', '--title', 'Stopped on a phone'],
  )
  await untilPhase(world, id, 'asking')
  const { tmux_session } = await world.status(id)
  const size = () =>
    world.tmux('display-message', '-p', '-t', `=${tmux_session}:`, '#{pane_width}x#{pane_height}')
  const before = await size()
  const { page } = await world.signIn(PHONE)
  await world.visit(page, `/tasks/${id}/screen`)
  const screen = page.getByLabel("The agent's screen")
  await screen.getByText('Which colour?').first().waitFor()
  expect(await screen.locator('canvas').count()).toBe(0)
  await page.getByRole('button', { name: 'Press Down' }).tap()
  await waitFor('blue to be chosen', async () => /[❯>]\s*(2\.?\s*)?blue/.test(await screen.innerText()))
  await page.getByRole('button', { name: 'Press Enter' }).tap()
  await untilPhase(world, id, 'working')
  await page.locator('h1').getByText('works', { exact: true }).waitFor()
  const { entries } = await world.daemon.call('GET /api/audit', { query: { task: id, kind: 'keys_pressed' } })
  expect(entries.map(({ detail }) => detail)).toEqual(['Enter', 'Down'])
  expect(await size()).toBe(before)
  // The agent ignores these; Escape interrupts it.
  const others = ['Tab', 'Left', 'Right', 'Up', 'Control C', 'Esc']
  for (const name of others) {
    await page.getByRole('button', { name: `Press ${name}` }).tap()
    await page.getByRole('button', { name: `Press ${name}`, disabled: false }).waitFor()
  }
  await untilPhase(world, id, 'stopped_by_person')
  const pressed = await world.daemon.call('GET /api/audit', { query: { task: id, kind: 'keys_pressed' } })
  expect(pressed.entries.map(({ detail }) => detail).slice(0, others.length)).toEqual([
    ...['Escape', 'C-c', 'Up', 'Right', 'Left', 'Tab'],
  ])
  // The screen is read from its end, its lines are broken, and nothing stands above it but what needs a person.
  expect(await hiddenPartOf(screen)).toMatchObject({ wide: 0, below: 0 })
  const timeline = page.getByLabel('Timeline')
  expect(await timeline.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'What it is about, and its timeline' }).tap()
  expect(await hiddenPartOf(timeline)).toMatchObject({ wide: 0 })
  await world.visit(page, '/')
  const card = page.getByRole('article', { name: 'Stopped on a phone' })
  await card.getByText('stopped by you', { exact: true }).waitFor()
  await card.getByText('Stopped by you (interrupted in its terminal): resume or close?').waitFor()
  expect(await card.getByRole('button').allInnerTexts()).toEqual(['Resume', 'Close'])
  await card.getByRole('button', { name: 'Resume' }).tap()
  await untilPhase(world, id, 'working')
  expectNoErrors(world)
})

test('the bar of five places leads everywhere, also to what is behind More', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn(PHONE)
  const bar = page.getByRole('navigation')
  const isAt = (title: string) => page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
  for (const [link, title] of [
    ['All', 'All tasks'],
    ['Runtimes', 'Runtimes'],
    ['Limits', 'Limits'],
    ['Now', 'Now'],
  ] as const) {
    await bar.getByRole('link', { name: link }).tap()
    await isAt(title)
  }
  for (const title of ['Threads', 'Audit', 'Health']) {
    await bar.getByRole('link', { name: 'More' }).tap()
    await isAt('More')
    await page.getByRole('main').getByRole('link', { name: title }).tap()
    await isAt(title)
  }
  expectNoErrors(world)
})

test('a key that did not get through is not pressed later, when the terminal may show something else', async () => {
  const world = await startPageWorld()
  const id = await world.run('do: ask Which? | red | blue\ndo: hang', '--mode', 'interactive')
  await untilPhase(world, id, 'asking')
  const { page } = await world.signIn(PHONE)
  await world.visit(page, `/tasks/${id}/screen`)
  let sent = 0
  await page.route('**/api/tasks/*/keys', (route) => {
    sent += 1
    return sent === 1 ? route.abort() : route.continue()
  })
  await page.getByRole('button', { name: 'Press Enter' }).click()
  await page.getByRole('alert').getByText('The daemon does not answer.').waitFor()
  expect(sent).toBe(1)
  expect(await world.status(id)).toMatchObject({ phase: 'asking' })
  expectNoErrors(world)
})
