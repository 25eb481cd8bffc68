// What a person does with a real agent on the page, and must see there. Shared by the quick and the whole matrix.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { askedParts } from '../../web/src/words/question.ts'
import { amount } from '../../web/src/words/time.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { PHONE } from '../web/lib/browser.ts'
import { expectNoErrors, type PageWorld, withPage } from '../web/lib/page-world.ts'
import type { AgentKind } from './agent-home.ts'
import { ASKED_FILE, asksFirst, canAsk } from './asks-first.ts'
import type { Lab } from './lab.ts'
import { agentOf, PATIENCE_MS, recoveringWith, untilPhase } from './recovery-world.ts'

/** A prompt waits for a person's keys no longer than this. */
const QUICK = 'quiet.window: 1s\nreconcile.interval: 1s\n'

/** The page of a daemon that starts this agent in a git repository. */
async function pageWith(kind: AgentKind, lab: Lab, look: BrowserContextOptions = {}) {
  for (const words of [
    ['init', '-q'],
    ['commit', '-q', '--allow-empty', '-m', 'begin'],
  ])
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...words], {
      cwd: lab.project,
    })
  const { world: plain, run } = await recoveringWith(kind, lab, QUICK)
  const world = await withPage(plain)
  const { page } = await world.signIn(look)
  page.setDefaultTimeout(PATIENCE_MS)
  return { world, page, run }
}

const state = (page: Page, word: string) => page.locator('h1').getByText(word, { exact: true }).waitFor()

const written = (lab: Lab) => {
  const file = join(lab.project, ASKED_FILE)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** The question as the daemon knows it, word by word, with the command in it; the first option is its yes. */
async function answerOnPage(
  world: PageWorld,
  id: string,
  place: Locator,
  press: 'click' | 'tap',
  lab: Lab,
): Promise<void> {
  const yes = place.getByRole('button', { name: /^1 / })
  await yes.waitFor()
  const [asked] = (await world.status(id)).questions
  const { words, exact } = askedParts(asked!.question)
  expect(exact).toContain(ASKED_FILE)
  expect(await place.locator('pre').innerText()).toBe(exact)
  await place.getByText(words, { exact: true }).waitFor()
  for (const [at, option] of asked!.options.entries())
    expect(await place.getByRole('button', { name: `${at + 1} ${option}`, exact: true }).count()).toBe(1)
  const inWords = await place.getByRole('button', { name: 'Answer in words…' }).count()
  expect(inWords === 1).toBe(asked!.takes_text)
  expect(written(lab)).toBe('')
  await yes[press]()
  await place.page().getByText('The dialog closed.').waitFor()
  expect((await world.status(id)).questions).toEqual([])
}

/** Without a terminal, on a phone: asked and answered with one tap, done, and what is to be seen of it then. */
export async function headlessOnThePage(kind: AgentKind, lab: Lab): Promise<void> {
  const { world, page, run } = await pageWith(kind, lab, PHONE)
  const title = `Headless ${kind}`
  const asks = canAsk(kind)
  const id = await run(asksFirst(kind), asks ? 'edit' : 'full', '--title', title)
  if (asks) {
    const card = page.getByRole('article', { name: title })
    await answerOnPage(world, id, card, 'tap', lab)
    await card.getByText('its own word').waitFor()
  }
  const task = await world.untilStatus(id, 'COMPLETED', PATIENCE_MS)
  expect(written(lab)).toBe('x')
  await page.getByRole('link', { name: title }).first().click()
  await state(page, 'done')
  await expectTold(page, asks)
  const timeline = page.getByLabel('Timeline')
  await timeline
    .getByRole('button', { name: /^1 start/ })
    .first()
    .waitFor()
  expect(await timeline.getByRole('button', { name: /^asked/ }).count()).toBe(asks ? 1 : 0)
  expect(await timeline.getByText('✕').count()).toBe(0)
  const tokens = `${amount(task.tokens_in)} in, ${amount(task.tokens_out)} out`
  expect(task.tokens_in).toBeGreaterThan(0)
  await page.getByLabel('Facts').getByText(tokens, { exact: true }).waitFor()
  await page.getByRole('tab', { name: 'Cost' }).click()
  const reported = task.cost_usd > 0 ? 'Tokens and cost over time' : 'Tokens over time'
  await page.getByRole('img', { name: reported, exact: true }).locator('canvas').waitFor()
  await page.getByRole('tab', { name: 'Changes' }).click()
  await page.getByRole('tabpanel').getByRole('button', { name: ASKED_FILE }).click()
  await page.getByText('+x', { exact: true }).waitFor()
  expectNoErrors(world)
}

/** Who says what in the output: each kind of line has its head. */
async function expectTold(page: Page, asks: boolean): Promise<void> {
  const log = page.getByRole('log')
  await log.getByText('The work is done.').last().waitFor()
  const heads = (await log.locator('span:first-child').allTextContents()).filter((head) => head !== '')
  const expected = ['tool', 'tool done', 'result', ...(asks ? ['asks', 'answer'] : [])]
  expect(heads).toEqual(expect.arrayContaining(expected))
  expect((await log.allTextContents()).join()).not.toContain('$0.0000')
}

/** In its terminal: seen, prompted and answered there, killed -9 and back, killed for good. */
export async function inItsTerminalOnThePage(kind: AgentKind, lab: Lab): Promise<void> {
  const { world, page, run } = await pageWith(kind, lab)
  const asks = canAsk(kind)
  const flags = ['--mode', 'interactive', '--title', `Terminal of ${kind}`]
  const id = await run('DO:text{ready when you are}', asks ? 'edit' : 'full', ...flags)
  await world.visit(page, `/tasks/${id}/screen`)
  await state(page, 'at rest')
  const screen = page.getByLabel("The agent's screen")
  const untilScreen = (words: string) =>
    expect.poll(() => screen.innerText(), { timeout: PATIENCE_MS }).toContain(words)
  await untilScreen('ready when you are')
  await expectSameInLiveTerminal(page, 'ready when you are')

  const prompt = asksFirst(kind)
  await page.getByLabel('Send a prompt').fill(prompt)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  if (asks) {
    await page.getByRole('region', { name: 'It asks' }).getByRole('button', { name: /^1 / }).waitFor()
    await untilScreen(ASKED_FILE)
    expect(await isAtItsEnd(screen)).toBe(true)
    await answerOnPage(world, id, page.getByRole('region', { name: 'It asks' }), 'click', lab)
  }
  await waitFor('the command', () => written(lab) === 'x', PATIENCE_MS)
  await state(page, 'at rest')
  await expectParcel(page, world, id, prompt)
  if (asks) await page.getByText('its question is closed').waitFor()

  await killedAndBack(page, world, id)
  await page.getByRole('tab', { name: 'Screen' }).click()
  await untilScreen('ready when you are')
  const { pid } = await agentOf(world, id)
  await page.getByRole('button', { name: 'Kill', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Kill' }).click()
  await state(page, 'killed')
  await waitFor(`agent ${pid} to be gone`, () => !isAlive(pid))
  expect(await world.status(id)).toMatchObject({ status: 'KILLED' })
  expectNoErrors(world)
}

/** All of it fits into the page: nothing of the screen is beyond the edge. */
async function expectSameInLiveTerminal(page: Page, words: string): Promise<void> {
  await page.getByRole('button', { name: 'Live terminal' }).click()
  const terminal = page.getByRole('region', { name: 'Live terminal' })
  await terminal.getByText('live', { exact: true }).waitFor()
  await terminal.getByText(words).last().waitFor()
  const box = terminal.locator('.xterm').locator('..').locator('..')
  await expect
    .poll(() => box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), {
      timeout: 10_000,
    })
    .toBeLessThanOrEqual(0)
  await page.getByRole('button', { name: 'Show as text' }).click()
}

const isAtItsEnd = (box: Locator) =>
  box.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight < 24)

/** Every step of its way, with its evidence, as the ledger has it. */
async function expectParcel(page: Page, world: PageWorld, id: string, prompt: string): Promise<void> {
  await page.getByRole('tab', { name: /^Inputs/ }).click()
  const parcel = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: prompt }).first()
  await parcel.getByText('done', { exact: true }).waitFor()
  const { triggers } = await world.daemon.call('GET /api/triggers', { query: { to: id } })
  const sent = await world.daemon.call('GET /api/triggers/:id', { id: triggers[0]!.trigger_id, query: {} })
  expect(sent.steps.map(({ state }) => state)).toEqual(
    expect.arrayContaining(['queued', 'submitted', 'done']),
  )
  for (const { state, evidence } of sent.steps) {
    await parcel.getByText(state, { exact: true }).first().waitFor()
    for (const { fact } of evidence) await parcel.getByText(fact).first().waitFor()
    expect(evidence.length).toBeGreaterThan(0)
  }
}

/** kill -9 of an agent at rest: its death, its new run and its rest are seen while the page is open. */
async function killedAndBack(page: Page, world: PageWorld, id: string): Promise<void> {
  const timeline = page.getByLabel('Timeline')
  expect(await timeline.getByText('✕').count()).toBe(0)
  const before = await agentOf(world, id)
  process.kill(before.pid, 'SIGKILL')
  await timeline.getByText('✕').first().waitFor()
  await timeline
    .getByRole('button', { name: /^2 resumed/ })
    .first()
    .waitFor()
  await state(page, 'at rest')
  const { run_id } = await untilPhase(world, id, 'idle')
  expect(run_id).not.toBe(before.run)
}
