// Runtimes, triggers, threads, limits, audit and health: what a person sees there is true, and what is offered works.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anImpossibleEvent, eventsWhileDown } from '../helpers/events-while-down.ts'
import { untilPhase } from '../helpers/faults.ts'
import { personAt } from '../helpers/person.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { axeFindings } from './lib/axe.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

test('a runtime is started in the page, shows its story, is stopped and started again', async () => {
  const world = await startPageWorld()
  await world.ok(['workspace', 'add', world.project])
  const { page } = await world.signIn()
  await world.visit(page, '/runtimes')
  await page.getByText('No runtime stands.').waitFor()
  await page.getByRole('button', { name: 'Start a runtime' }).click()
  await page.getByRole('combobox', { name: 'Role' }).fill('writer')
  await page.getByRole('textbox', { name: 'Agent' }).fill('scripted')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  const card = page.getByRole('article', { name: /^writer@/ })
  await card.getByText('ready', { exact: true }).first().waitFor({ timeout: 30_000 })
  await card.getByRole('button', { name: 'Its story' }).click()
  await card.getByText('its agent is there').first().waitFor()
  await card.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
  await card.getByText('stopped', { exact: true }).first().waitFor({ timeout: 30_000 })
  const [stopped] = (await world.daemon.call('GET /api/runtimes', { query: {} })).runtimes
  expect(stopped).toMatchObject({ wanted: 'stopped', pid: null })
  await card.getByRole('button', { name: 'Start', exact: true }).click()
  await card.getByText('ready', { exact: true }).first().waitFor({ timeout: 30_000 })
  expectNoErrors(world)
})

test('a runtime that asks says so and what, and leads to where it is answered', async () => {
  const world = await startPageWorld()
  await world.ok([
    'runtime',
    'start',
    'asker',
    '--agent',
    'scripted',
    '--seed',
    'do: ask Which branch? | main | next',
  ])
  const { page } = await world.signIn()
  await world.visit(page, '/runtimes')
  const card = page.getByRole('article', { name: 'asker@project' })
  await card.getByText('It needs you: Which branch?').waitFor()
  await card.getByText('asks', { exact: true }).waitFor()
  await card.getByRole('link', { name: 'Answer' }).click()
  await page.getByRole('button', { name: '2 next' }).click()
  await page.getByText('The dialog closed.').waitFor()
  await world.visit(page, '/runtimes')
  await card.getByText('ready', { exact: true }).waitFor()
  expect(await card.getByText('It needs you').count()).toBe(0)
  expectNoErrors(world)
})

test('a prompt that waits for a person at the terminal is forced only with a name and a reason', async () => {
  const world = await startPageWorld({ config: 'quiet.window: 10m\n' })
  const id = await world.run('do: say ready', '--mode', 'interactive')
  await untilPhase(world, id, 'idle')
  const person = personAt(world)
  person.runs('attach', id)
  await person.shows('enter sends')
  person.types('x')
  person.types('BSpace')
  await world.ok(['send', id, 'do: say ours'])
  const { page } = await world.signIn()
  await world.visit(page, `/runtimes?show=triggers&to=${id}`)
  await page.getByRole('button', { name: 'Track' }).click()
  await page.getByText(/^It waits:/).waitFor()
  await page.getByRole('button', { name: 'Type it now…' }).click()
  const force = page.getByRole('button', { name: 'Type it although somebody typed there' })
  await force.click()
  expect((await world.daemon.call('GET /api/triggers', { query: {} })).triggers[0]?.forced_by).toBeNull()
  await page.getByLabel('Who says so').fill('ann')
  await page.getByLabel('Why').fill('it cannot wait')
  await force.click()
  await page.getByText('Forced by ann: it cannot wait').waitFor()
  await waitFor('the prompt to be heard', () => world.heard().some(({ heard }) => heard === 'do: say ours'))
  await page.getByRole('list', { name: 'Triggers' }).getByText('done', { exact: true }).first().waitFor()
  await world.visit(page, `/tasks/${id}`)
  const facts = page.getByRole('article', { name: 'Facts' })
  await facts.getByText('Last prompt').waitFor()
  await facts.getByText('do: say ours').waitFor()
  await facts.getByRole('listitem').filter({ hasText: /^done/ }).waitFor()
  expectNoErrors(world)
})

test('a thread is begun, read as messages come, and written to', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn()
  await world.visit(page, '/threads')
  await page.getByRole('button', { name: 'New thread' }).click()
  await page.getByLabel('Title').fill('Release 2.4')
  await page.getByRole('button', { name: 'Begin' }).click()
  await page.getByText('Nobody has written yet.').waitFor()
  const id = page.url().split('/').at(-1)!
  await world.daemon.call('POST /api/threads/:id/messages', {
    id,
    body: { text: 'What is left?', kind: 'status', refs: ['docs/plan.md'] },
  })
  const messages = page.getByRole('list', { name: 'Messages' })
  await messages.getByText('What is left?').waitFor()
  await messages.getByText('docs/plan.md').waitFor()
  await page.getByLabel('Message', { exact: true }).fill('Nothing.\nWe can go.')
  await page.getByLabel('Kind').selectOption('result')
  await page.getByRole('button', { name: 'Post' }).click()
  await messages.getByText('We can go.').waitFor()
  expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('')
  const { messages: stored } = await world.daemon.call('GET /api/threads/:id/messages', { id, query: {} })
  expect(stored.at(-1)).toMatchObject({ kind: 'result', text: 'Nothing.\nWe can go.' })
  expectNoErrors(world)
})

test('a thread that blocked itself says why; a person lets it go on, and its agents may post again', async () => {
  const world = await startPageWorld({ config: 'thread.maxTurns: 1\n' })
  const { page } = await world.signIn()
  const { thread_id: id } = await world.daemon.call('POST /api/threads', { body: { title: 'In circles' } })
  const task = await world.run('do: hang')
  const { run_id } = await untilPhase(world, task, 'working')
  const post = (text: string) =>
    world.cli(['thread', 'post', id, text], { env: { HOLDFAST_TASK_ID: task, HOLDFAST_RUN: run_id! } })
  await world.visit(page, `/threads/${id}`)
  expect(await post('one')).toMatchObject({ code: 0 })
  const blocked = page.getByRole('article', { name: 'Blocked' })
  await blocked.getByText('Agents may not post until somebody lets it go on.').waitFor()
  const { blocked: told } = await world.daemon.call('GET /api/threads/:id', { id })
  await blocked.getByText(told!.why).waitFor()
  expect(await post('two')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('THREAD_AUTO_BLOCKED'),
  })
  const entry = page.getByRole('list', { name: 'Threads' }).getByRole('listitem')
  await entry.getByText('blocked', { exact: true }).waitFor()
  await blocked.getByLabel('Why it may go on').fill('seen by ann')
  await blocked.getByRole('button', { name: 'Let it go on' }).click()
  await blocked.waitFor({ state: 'detached' })
  await entry.getByText('blocked', { exact: true }).waitFor({ state: 'detached' })
  expect(await post('three')).toMatchObject({ code: 0 })
  await page.getByRole('list', { name: 'Messages' }).getByText('three').waitFor()
  const { entries } = await world.daemon.call('GET /api/audit', { query: { kind: 'thread_continued' } })
  expect(entries.map(({ detail }) => detail)).toEqual([expect.stringContaining('seen by ann')])
  expectNoErrors(world)
})

test('a limit shows its next wake and who waits behind it, and a person lets them go on', async () => {
  const world = await startPageWorld()
  const id = await world.run('do: limit-until over 3600\ndo: finish on time', '--title', 'Held by the limit')
  await untilPhase(world, id, 'parked')
  const { page } = await world.signIn()
  await world.visit(page, '/limits')
  await page.getByText(/The next wake is at .* in (1 h|59 min|1 h 0 min)/).waitFor()
  await page.getByRole('link', { name: 'Held by the limit' }).waitFor()
  expect(await page.getByText(/\dT\d\d:/).count()).toBe(0)
  writeFileSync(join(world.project, 'over'), '')
  await page.getByRole('button', { name: 'Let them go on now' }).click()
  await world.untilStatus(id, 'COMPLETED')
  await page.getByText('Nothing is held back.').waitFor()
  expectNoErrors(world)
})

test('of three that wait for a limit, one is refused: the others go on, and the page says which was not', async () => {
  const world = await startPageWorld()
  const ids = []
  for (const title of ['First', 'Second', 'Third'])
    ids.push(await world.run('do: limit-until over 3600\ndo: finish on time', '--title', title))
  const gate = await waitFor('all to wait behind one gate', async () => {
    const { gates } = await world.daemon.call('GET /api/parks')
    return gates.find(({ waiting }) => waiting.length === ids.length)
  })
  const [, second = ''] = gate.waiting
  const { page, context } = await world.signIn()
  await context.route(`**/api/tasks/${second}/unpark`, (route) =>
    route.fulfill({
      status: 503,
      json: { code: 'STORE_LOCKED', message: 'The store failed: database is locked.', hint: '' },
    }),
  )
  await world.visit(page, '/limits')
  writeFileSync(join(world.project, 'over'), '')
  await page.getByRole('button', { name: 'Let them go on now' }).click()
  const said = page.getByRole('alert').filter({ hasText: '2 of 3 were let go on' })
  await said.getByText('The store failed: database is locked.').waitFor()
  expect(await said.getByRole('link').getAttribute('href')).toBe(`/tasks/${second}`)
  for (const id of ids.filter((one) => one !== second)) await world.untilStatus(id, 'COMPLETED')
  expectNoErrors(world)
})

test('the audit has filters in the address, and pages back to the first entry, also while others are recorded', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn()
  for (let n = 0; n < 130; n++)
    await world.daemon.call('POST /api/threads', { body: { title: `Thread ${n}` } })
  await world.visit(page, '/audit?kind=thread_created')
  const rows = page.getByRole('row').filter({ hasText: 'thread created' })
  await expect.poll(() => rows.count()).toBe(100)
  await page.getByRole('button', { name: 'Older entries' }).click()
  await expect.poll(() => rows.count()).toBe(130)
  await page.getByText('That is all.').waitFor()
  // Who reads backwards loses nothing when something new is recorded.
  await world.daemon.call('POST /api/threads', { body: { title: 'Begun meanwhile' } })
  const newer = page.getByRole('button', { name: '1 newer entry' })
  await newer.waitFor()
  expect(await rows.count()).toBe(130)
  await newer.click()
  await expect.poll(() => rows.count()).toBe(131)
  expect(await newer.count()).toBe(0)
  await page.getByLabel('Kind').selectOption('web_login')
  await page.getByRole('row').filter({ hasText: 'web login' }).first().waitFor()
  expect(new URL(page.url()).search).toBe('?kind=web_login')
  expectNoErrors(world)
})

test('health says how daemon, tmux and disk are, and how to install an agent that is missing', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn()
  await world.visit(page, '/health')
  await page.getByRole('article', { name: 'Daemon' }).getByText('up', { exact: true }).waitFor()
  await page.getByRole('article', { name: 'tmux' }).getByText('Terminals can be opened.').waitFor()
  await page.getByRole('article', { name: 'Disk' }).getByText('fine').waitFor()
  await page
    .getByRole('article', { name: 'Disk' })
    .getByText(/\d [GT]B free\./)
    .waitFor()
  const { agents } = await world.daemon.call('GET /api/agents')
  const list = page.getByRole('list', { name: 'Agents' })
  for (const { kind, found, install } of agents) {
    const row = list.getByRole('listitem').filter({ has: page.getByText(kind, { exact: true }) })
    await row.getByText(found ? 'found' : 'not found', { exact: true }).waitFor()
    if (!found) await row.getByText(install!).waitFor()
  }
  expectNoErrors(world)
})

test('health shows an event that was set aside, with its reason; a person tries it again, and drops it after a question', async () => {
  const world = await startPageWorld({ prepare: (made) => eventsWhileDown(made, [anImpossibleEvent()]) })
  const { page } = await world.signIn()
  await world.visit(page, '/health')
  const journal = page.getByRole('article', { name: 'Journal' })
  await journal.getByText('One event is set aside: what should follow from it has not happened.').waitFor()
  const event = page.getByRole('list', { name: 'Events that are set aside' }).getByRole('listitem')
  const [told] = (await world.daemon.call('GET /api/journal')).set_aside
  await event
    .filter({ hasText: `unread failed on cursor_moved, event ${told!.seq}` })
    .getByText(told!.why!)
    .waitFor()
  expect(await axeFindings(page)).toEqual([])
  const audited = async (kind: string) =>
    (await world.daemon.call('GET /api/audit', { query: { kind } })).entries.length
  await journal.getByRole('button', { name: 'Try them again' }).click()
  await waitFor('it to be tried again', async () => (await audited('event_retried')) === 1)
  // It fails as before: it is still there.
  await event.getByText(told!.why!).waitFor()
  await event.getByRole('button', { name: 'Drop' }).click()
  const sure = page.getByRole('dialog', { name: `Drop the event ${told!.id}?` })
  await sure.getByRole('button', { name: 'Leave it' }).click()
  expect(await audited('event_dropped')).toBe(0)
  await event.getByRole('button', { name: 'Drop' }).click()
  await sure.getByRole('button', { name: 'Drop' }).click()
  await journal.getByText('No event is set aside.').waitFor()
  await journal.getByText('Nobody keeps old events from being deleted.').waitFor()
  await event.waitFor({ state: 'detached' })
  expect(await audited('event_dropped')).toBe(1)
  // Who holds up pruning does so for days: as if one did.
  await page.route('**/api/journal', async (route) => {
    const json = await (await route.fetch()).json()
    const [first, ...others] = json.subscribers
    const subscribers = [{ ...first, name: 'traces', behind: 1234, holds_pruning: true }, ...others]
    await route.fulfill({ json: { ...json, subscribers } })
  })
  await world.visit(page, '/health')
  await journal.getByText('held back', { exact: true }).waitFor()
  await journal.getByText('they were not handled yet: traces (1,234 behind).').waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  expectNoErrors(world)
})
