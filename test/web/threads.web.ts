// Threads that are long, or many; and how far the person at the page has read.
import { expect, test } from 'vitest'
import { untilPhase } from '../helpers/faults.ts'
import { expectNoErrors, type PageWorld, startPageWorld } from './lib/page-world.ts'

const begin = async (world: PageWorld, title: string) =>
  (await world.daemon.call('POST /api/threads', { body: { title } })).thread_id

/** An agent that writes to threads. */
async function agentOf(world: PageWorld) {
  const task = await world.run('do: hang')
  const { run_id } = await untilPhase(world, task, 'working')
  const env = { HOLDFAST_TASK_ID: task, HOLDFAST_RUN: run_id! }
  return {
    post: async (id: string, text: string) =>
      expect(await world.cli(['thread', 'post', id, text], { env })).toMatchObject({ code: 0 }),
  }
}

test('of more threads than one page has, older ones are shown on request, and a filter finds every one', async () => {
  const world = await startPageWorld({ config: 'thread.maxTurns: 1\n' })
  const oldest = await begin(world, 'The oldest is blocked')
  await (await agentOf(world)).post(oldest, 'one')
  for (let n = 0; n < 55; n++) await begin(world, `Thread ${n}`)
  const { page } = await world.signIn()
  await world.visit(page, '/threads')
  const entries = page.getByRole('list', { name: 'Threads' }).getByRole('listitem')
  await expect.poll(() => entries.count()).toBe(50)
  await page.getByRole('button', { name: 'Show older ones' }).click()
  await expect.poll(() => entries.count()).toBe(56)
  expect(await page.getByRole('button', { name: 'Show older ones' }).count()).toBe(0)
  await begin(world, 'The newest')
  await expect.poll(() => entries.count()).toBe(57)
  await world.visit(page, '/threads')
  await page.getByLabel('State').selectOption('blocked')
  await entries.getByText('The oldest is blocked').waitFor()
  expect(await entries.count()).toBe(1)
  expectNoErrors(world)
})

test('of a long thread its end is shown first, and earlier messages on request', async () => {
  const world = await startPageWorld()
  const id = await begin(world, 'A long one')
  const post = (text: string) => world.daemon.call('POST /api/threads/:id/messages', { id, body: { text } })
  for (let n = 1; n <= 250; n++) await post(`message ${n}`)
  const { page } = await world.signIn()
  await world.visit(page, `/threads/${id}`)
  const messages = page.getByRole('list', { name: 'Messages' }).getByRole('listitem')
  await messages.getByText('message 250', { exact: true }).waitFor()
  expect(await messages.count()).toBe(200)
  await post('message 251')
  await messages.getByText('message 251', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show earlier messages (50 before these)' }).click()
  await messages.getByText('message 1', { exact: true }).waitFor()
  expect(await messages.count()).toBe(251)
  expect(await page.getByRole('button', { name: /earlier messages/ }).count()).toBe(0)
  expectNoErrors(world)
})

test('a member who has the last message in view has read it; who has not scrolled there has not', async () => {
  const world = await startPageWorld()
  const agent = await agentOf(world)
  const id = await begin(world, 'To be read')
  const { page } = await world.signIn()
  await world.visit(page, `/threads/${id}`)
  await page.getByLabel('Message', { exact: true }).fill('I am in.')
  await page.getByRole('button', { name: 'Post' }).click()
  const messages = page.getByRole('list', { name: 'Messages' })
  await messages.getByText('I am in.').waitFor()
  await world.visit(page, '/threads')
  await agent.post(id, 'for you')
  const entry = page.getByRole('list', { name: 'Threads' }).getByRole('listitem')
  await entry.getByText('1 new', { exact: true }).waitFor()
  await entry.getByRole('link').click()
  await messages.getByText('for you').waitFor()
  await entry.getByText(/new$/).waitFor({ state: 'detached' })
  // While it is open at its end, what comes is read as well.
  await agent.post(id, 'and this')
  await messages.getByText('and this').waitFor()
  /** How far the person of the page has come. */
  const read = async () => {
    const { members } = await world.daemon.call('GET /api/threads/:id', { id })
    return members.find(({ name }) => name.startsWith('person:') && name.includes('page'))!.read
  }
  await expect.poll(read).toBe(3)
  await agent.post(id, 'a long one\n'.repeat(200))
  await messages.getByText('a long one').waitFor()
  await entry.getByText('1 new', { exact: true }).waitFor()
  expect(await read()).toBe(3)
  await page.getByRole('button', { name: 'Post' }).scrollIntoViewIfNeeded()
  await entry.getByText(/new$/).waitFor({ state: 'detached' })
  expect(await read()).toBe(4)
  expectNoErrors(world)
})
