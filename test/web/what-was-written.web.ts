// What a person writes is sent once, and stays until the daemon has taken it.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilPhase } from '../helpers/faults.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

/** The daemon answers when a busy agent has not heard the prompt for some seconds. */
const PATIENT = { timeout: 20_000 }

/** The requests to `path` wait until they are let go. */
async function holdUp(page: Page, path: string) {
  let sent = 0
  let letGo = () => {}
  const gone = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(path, async (route) => {
    sent += 1
    await gone
    await route.continue()
  })
  return { sent: () => sent, letGo }
}

test('a prompt is sent once, however often the keys are pressed while it is under way, and what is written meanwhile stays', async () => {
  const world = await startPageWorld()
  const id = await world.run('do: wait-for never', '--converse')
  await untilPhase(world, id, 'working')
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}`)
  const held = await holdUp(page, '**/api/tasks/*/inputs')
  const box = page.getByRole('textbox', { name: 'Send a prompt' })
  await box.fill('do: say first')
  await box.press('Control+Enter')
  await expect.poll(held.sent, PATIENT).toBe(1)
  await box.press('Control+Enter')
  await box.press('End')
  await box.pressSequentially(', and then second')
  await box.press('Control+Enter')
  held.letGo()
  await page.getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor()
  expect(await box.inputValue()).toBe('do: say first, and then second')
  const { inputs } = await world.status(id)
  expect(inputs.map(({ text }) => text)).toEqual(['do: wait-for never', 'do: say first'])
  await box.press('Control+Enter')
  await expect.poll(() => box.inputValue(), PATIENT).toBe('')
  expectNoErrors(world)
})

test('what is written to a thread while a message is under way stays', async () => {
  const world = await startPageWorld()
  const { thread_id: id } = await world.daemon.call('POST /api/threads', { body: { title: 'Release' } })
  const { page } = await world.signIn()
  await world.visit(page, `/threads/${id}`)
  const held = await holdUp(page, '**/api/threads/*/messages')
  const [message, about] = [page.getByRole('textbox', { name: 'Message' }), page.getByLabel('About')]
  await message.fill('First')
  await page.getByRole('button', { name: 'Post' }).click()
  await expect.poll(held.sent, PATIENT).toBe(1)
  await message.fill('Second')
  await about.fill('notes.md')
  held.letGo()
  await page.getByRole('button', { name: 'Post', disabled: false }).waitFor()
  expect([await message.inputValue(), await about.inputValue()]).toEqual(['Second', 'notes.md'])
  expectNoErrors(world)
})

test('an answer in words that did not get through can be sent again as it was written', async () => {
  const world = await startPageWorld()
  const id = await world.run('do: ask Which colour? | red | blue\ndo: wait-for go', '--converse')
  await untilPhase(world, id, 'asking')
  const { page } = await world.signIn()
  await page.route('**/api/tasks/*/answer', (route) => route.abort())
  await page.getByRole('button', { name: 'Answer in words…' }).click()
  const words = page.getByLabel('Answer in words')
  await words.fill('neither: take green')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await page.getByText('The daemon does not answer.').waitFor()
  expect(await words.inputValue()).toBe('neither: take green')
  await page.unroute('**/api/tasks/*/answer')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await page.getByText('The dialog closed.').waitFor()
  expect(await world.ok(['logs', id])).toContain('answer: neither: take green')
  expectNoErrors(world)
})

test('a prompt whose answer was lost is sent again as it was written, and the agent has it once', async () => {
  const world = await startPageWorld()
  const id = await world.run('do: say hello', '--converse')
  await untilPhase(world, id, 'idle')
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}`)
  // The daemon takes it each time, and the page never hears of it.
  await page.route('**/api/tasks/*/inputs', async (route) => {
    await route.fetch()
    await route.abort()
  })
  const box = page.getByRole('textbox', { name: 'Send a prompt' })
  await box.fill('do: say more')
  await box.press('Control+Enter')
  await page.getByText('The daemon does not answer.').waitFor({ timeout: 60_000 })
  await page.unroute('**/api/tasks/*/inputs')
  await box.press('Control+Enter')
  await expect.poll(() => box.inputValue(), PATIENT).toBe('')
  // Whoever writes the same words anew means another prompt.
  await box.fill('do: say more')
  await box.press('Control+Enter')
  await expect.poll(() => box.inputValue(), PATIENT).toBe('')
  const { inputs } = await world.status(id)
  expect(inputs.map(({ text }) => text)).toEqual(['do: say hello', 'do: say more', 'do: say more'])
  expectNoErrors(world)
})

test('an order that is given while the daemon is away is carried out by the next one', async () => {
  const world = await startPageWorld()
  const id = await world.run('do: say hello', '--converse')
  await untilPhase(world, id, 'idle')
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${id}`)
  let refused = 0
  page.on('requestfailed', (request) => {
    if (request.url().endsWith('/inputs')) refused += 1
  })
  const box = page.getByRole('textbox', { name: 'Send a prompt' })
  await box.fill('do: say more')
  await world.killDaemon()
  await box.press('Control+Enter')
  await expect.poll(() => refused, PATIENT).toBe(3)
  await world.ok(['list'])
  await expect.poll(() => box.inputValue(), PATIENT).toBe('')
  expect(await page.getByRole('alert').count()).toBe(0)
  const { inputs } = await world.status(id)
  expect(inputs.map(({ text }) => text)).toEqual(['do: say hello', 'do: say more'])
  expectNoErrors(world)
})
