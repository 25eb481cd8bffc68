// The live terminal in a browser: seen, then typed into; over a restart of the daemon; and what there is without one.
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { installedCopy } from '../helpers/installed-copy.ts'
import { clientsOf } from '../helpers/live-terminal.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { axeFindings } from './lib/axe.ts'
import { expectNoErrors, type PageWorld, startPageWorld } from './lib/page-world.ts'

async function atItsScreen(world: PageWorld) {
  const id = await world.run('do: say hello', '--mode', 'interactive')
  await waitFor('it to be idle', async () => (await world.status(id)).phase === 'idle')
  const { page } = await world.signIn()
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await world.visit(page, `/tasks/${id}/screen`)
  await page.getByText('hello').first().waitFor()
  return { id, page, loaded }
}

const terminal = (page: Page) => page.getByRole('region', { name: 'Live terminal' })

test('the live terminal is loaded when it is opened, shows the screen, and takes keys only when switched on', async () => {
  const world = await startPageWorld()
  const { id, page, loaded } = await atItsScreen(world)
  const size = () =>
    world.tmux('display-message', '-p', '-t', `=hf-${id}:`, '#{window_width}x#{window_height}')
  const before = await size()
  expect(loaded.filter((url) => url.includes('live-terminal'))).toEqual([])
  await page.getByRole('button', { name: 'Live terminal' }).click()
  const shown = terminal(page)
  await shown.getByText('hello').first().waitFor()
  await shown.getByText('You only look').waitFor()
  expect(loaded.filter((url) => url.includes('live-terminal'))).not.toEqual([])
  expect(await axeFindings(page)).toEqual([])
  // Letters can be read, and tmux's own line is for those who type.
  const screen = shown.locator('.xterm-screen')
  const high = async (part: Locator) => (await part.boundingBox())!.height
  const row = await high(shown.locator('.xterm-rows > div').first())
  const hidden = async () => (await high(screen)) - (await high(shown.locator('.xterm').locator('..')))
  expect(row).toBeGreaterThanOrEqual(12)
  expect(Math.abs((await hidden()) - row)).toBeLessThan(1.5)
  await screen.click()
  await page.keyboard.type('do: say dropped\n')
  await shown.getByRole('button', { name: 'Type into the agent' }).click()
  await shown.getByText('You type into the agent').waitFor()
  await shown.getByText('hello').first().waitFor()
  expect(await hidden()).toBeLessThan(1.5)
  await page.keyboard.type('do: say typed here')
  await shown.getByText('do: say typed here').first().waitFor()
  await page.keyboard.press('Enter')
  await waitFor('the prompt', () => world.heard().length === 2)
  expect(world.heard().map(({ heard }) => heard)).toEqual(['do: say hello', 'do: say typed here'])
  await shown.getByRole('button', { name: 'Stop typing' }).click()
  await shown.getByText('You only look').waitFor()
  const rows = await waitFor('the record', async () => {
    const { entries } = await world.daemon.call('GET /api/audit', { query: {} })
    const found = entries.filter(({ kind }) => kind.startsWith('terminal_typing'))
    return found.length === 2 ? found : undefined
  })
  // What the emulator answers to tmux is not among what was typed.
  expect(rows.map(({ detail }) => detail)).toEqual([expect.stringMatching(/^19 bytes/), 'a live terminal'])
  expect(await size()).toBe(before)
  await page.getByRole('button', { name: 'Show as text' }).click()
  await page.getByLabel("The agent's screen").waitFor()
  await waitFor('no client', async () => (await clientsOf(world)).length === 0)
  expectNoErrors(world)
})

test('whoever only looks leaves the live terminal with Tab, and whoever types with the keys that it names', async () => {
  const world = await startPageWorld()
  const { page } = await atItsScreen(world)
  await page.getByRole('button', { name: 'Live terminal' }).click()
  const shown = terminal(page)
  await shown.getByText('You only look').waitFor()
  const isInside = () => page.evaluate("document.activeElement?.closest('.xterm') !== null")
  await shown.locator('.xterm-screen').click()
  expect(await isInside()).toBe(true)
  await page.keyboard.press('Tab')
  expect(await isInside()).toBe(false)
  await shown.getByRole('button', { name: 'Type into the agent' }).click()
  await shown.getByText('Ctrl-Shift-Enter stops typing').waitFor()
  await expect.poll(isInside, { timeout: 10_000 }).toBe(true)
  await page.keyboard.press('Control+Shift+Enter')
  await shown.getByText('You only look').waitFor()
  expect(await isInside()).toBe(false)
  expect(world.heard().map(({ heard }) => heard)).toEqual(['do: say hello'])
  expectNoErrors(world)
})

test('the live terminal comes back after a restart of the daemon, with typing off', async () => {
  const world = await startPageWorld()
  const { page } = await atItsScreen(world)
  await page.getByRole('button', { name: 'Live terminal' }).click()
  await terminal(page).getByRole('button', { name: 'Type into the agent' }).click()
  await terminal(page).getByText('You type into the agent').waitFor()
  await world.killDaemon()
  await terminal(page).getByText('cut off').waitFor()
  await world.ok(['up'])
  await terminal(page).getByText('You only look').waitFor()
  await terminal(page).getByText('live', { exact: true }).waitFor({ timeout: 20_000 })
  await terminal(page).getByText('hello').first().waitFor()
})

test('without the optional library the page says so and shows the screen as text', async () => {
  const world = await startPageWorld({ cli: installedCopy(join(tempDir('hfc'), 'copy')) })
  const { page } = await atItsScreen(world)
  await page.getByRole('button', { name: 'Live terminal' }).click()
  await page.getByRole('alert').getByText('@lydell/node-pty cannot be loaded').waitFor()
  await page.getByLabel("The agent's screen").getByText('hello').first().waitFor()
})
