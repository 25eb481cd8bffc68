// Under "Needs you" stands only what needs a person, and what is offered there can be done.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentPid, untilPhase } from '../helpers/faults.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { hiddenPartOf } from './lib/overflow.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

const ASKS = 'do: ask Which colour? | red | blue\ndo: wait-for go'

test('an answer that no agent took goes from the first screen when its task is killed, and can be put away before', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn()
  const ids = [
    await world.run(ASKS, '--converse', '--title', 'Is killed'),
    await world.run(ASKS, '--converse', '--title', 'Is put away'),
  ] as const
  const cards = ['Is killed', 'Is put away'].map((name) => page.getByRole('article', { name }))
  for (const [place, card] of cards.entries()) {
    await untilPhase(world, ids[place]!, 'asking')
    process.kill(await agentPid(world, ids[place]!), 'SIGSTOP')
    await card.getByRole('button', { name: '2 blue' }).click()
    await card.getByText('Stored. The agent has not taken it yet.').waitFor({ timeout: 60_000 })
  }
  await cards[1]!.getByRole('button', { name: 'Put away' }).click()
  expect(await cards[1]!.getByText('Stored.').count()).toBe(0)
  await world.ok(['kill', ids[0], '--force'])
  await cards[0]!.getByText('The task has ended: nothing waits for this answer any more.').waitFor()
  await cards[0]!.waitFor({ state: 'detached', timeout: 30_000 })
  expectNoErrors(world)
})

test('a digit answers the card with the focus, and no other; an answer that the agent took before the page heard that it is stored is seen to be taken', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn()
  const ids = new Map<string, string>()
  for (const title of ['One', 'Another'])
    ids.set(title, await world.run(ASKS, '--converse', '--title', title))
  await page.route('**/api/tasks/*/answer', async (route) => {
    const answer = await route.fetch()
    await untilPhase(world, new URL(route.request().url()).pathname.split('/')[3]!, 'working')
    await route.fulfill({ response: answer, json: { ...(await answer.json()), settled: false } })
  })
  const cardOf = (title: string) => page.getByRole('article', { name: title, exact: true })
  for (const title of ids.keys()) await cardOf(title).getByRole('button', { name: '2 blue' }).waitFor()
  await page.keyboard.press('1')
  await page.keyboard.press('j')
  const hasFocus = (title: string) => cardOf(title).evaluate((card) => card.matches(':focus-within'))
  const [focused, other] = (await hasFocus('One')) ? ['One', 'Another'] : ['Another', 'One']
  expect(await hasFocus(focused)).toBe(true)
  await page.keyboard.press('2')
  await cardOf(focused).getByText('The dialog closed.').waitFor()
  const answers = async (title: string) => (await world.ok(['logs', ids.get(title)!])).match(/^answer: .*/gm)
  expect([await answers(focused), await answers(other)]).toEqual([['answer: blue'], null])
  expect(await world.status(ids.get(other)!)).toMatchObject({ phase: 'asking' })
  expectNoErrors(world)
})

test('of a task that was answered elsewhere and has not taken the answer, both screens say what it waits for and offer nothing', async () => {
  const world = await startPageWorld()
  const id = await world.run(ASKS, '--converse', '--title', 'Was answered')
  await untilPhase(world, id, 'asking')
  process.kill(await agentPid(world, id), 'SIGSTOP')
  await world.cli(['answer', id, 'red'])
  const { page } = await world.signIn()
  const card = page.getByRole('article', { name: 'Was answered' })
  await card.getByText('Goes on as soon as its agent has got the answer.').waitFor()
  expect(await card.getByRole('button').allInnerTexts()).toEqual([])
  await world.visit(page, `/tasks/${id}`)
  const asks = page.getByRole('region', { name: 'It asks' })
  await asks.getByText('It is answered. Goes on as soon as its agent has got the answer.').waitFor()
  expect(await asks.getByRole('button').allInnerTexts()).toEqual([])
  expectNoErrors(world)
})

test('a task that no answer can reach can be started again on the first screen, and closed on its own', async () => {
  const program = join(tempDir('hfbin'), 'agent')
  writeFileSync(program, '#!/bin/sh\necho "? Overwrite it"\nwhile :; do sleep 0.1; done\n', { mode: 0o755 })
  const custom = { argv: [program], patterns: { asking: '^\\? (.*)' } }
  const world = await startPageWorld({ config: `agents: ${JSON.stringify({ custom })}\n` })
  const id = await world.run('work', '--agent', 'custom', '--title', 'Cannot hear')
  const { page } = await world.signIn()
  await page.getByRole('article', { name: 'Cannot hear' }).getByRole('button', { name: 'Retry' }).click()
  await waitFor('a second run', async () => {
    const { runs } = await world.daemon.call('GET /api/tasks/:id/why', { id })
    return runs.length === 2
  })
  await untilPhase(world, id, 'asking')
  await world.visit(page, `/tasks/${id}`)
  const asks = page.getByRole('region', { name: 'It asks' })
  await asks.getByRole('button', { name: 'Retry' }).waitFor()
  await asks.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.locator('h1').getByText('killed', { exact: true }).waitFor()
  expectNoErrors(world)
})

test('words are offered where the agent takes them, and not for a dialog in its terminal', async () => {
  const world = await startPageWorld()
  const talks = await world.run(ASKS, '--converse', '--title', 'Talks')
  const shows = await world.run(ASKS, '--mode', 'interactive', '--title', 'Shows a dialog')
  for (const id of [talks, shows]) await untilPhase(world, id, 'asking')
  const { page } = await world.signIn()
  const offersWords = async (name: string) => {
    const card = page.getByRole('article', { name })
    await card.getByRole('button', { name: '2 blue' }).waitFor()
    return (await card.getByRole('button', { name: 'Answer in words…' }).count()) === 1
  }
  expect(await offersWords('Talks')).toBe(true)
  expect(await offersWords('Shows a dialog')).toBe(false)
  expectNoErrors(world)
})

const LONG = `psql -f a.sql && ${'echo one more step of a long command && '.repeat(60)}rm -rf everything`

test('a command is shown whole before it is agreed to, a limit says until when, and a question stands once on its task', async () => {
  const world = await startPageWorld()
  const question = `May I run this command?  ${LONG}`
  writeFileSync(join(world.project, 'steps'), `ask ${question} | Yes | No\nwait-for go\n`)
  const id = await world.run('Move the store.\ndo: script steps', '--converse', '--title', 'Runs something')
  await untilPhase(world, id, 'asking')
  const parked = await world.run('do: limit 3600', '--title', 'Behind a limit')
  await untilPhase(world, parked, 'parked')
  const { page } = await world.signIn()
  const waiting = page.getByRole('list', { name: 'Waiting' }).getByRole('listitem')
  const until = await waiting.filter({ hasText: 'Behind a limit' }).innerText()
  expect(until).toMatch(/behind a usage limit/)
  expect(until).toMatch(/\b\d\d:\d\d\b[\s\S]*\bin (59 min|1 h)/)
  for (const path of ['/', `/tasks/${id}`]) {
    await world.visit(page, path)
    const exact = page.getByLabel('Exactly').locator('pre')
    await exact.waitFor()
    expect(await exact.textContent()).toBe(LONG)
    const { wide, high } = await hiddenPartOf(exact)
    expect(wide).toBe(0)
    expect(high).toBeGreaterThan(100)
    await page.getByRole('button', { name: 'Show all of it' }).click()
    await expect.poll(() => hiddenPartOf(exact)).toEqual({ wide: 0, high: 0, below: 0 })
  }
  await page.getByRole('tab', { name: 'Why' }).click()
  const places = page.getByRole('main').getByText('May I run this command?')
  await page.getByRole('tabpanel').getByText('May I run this command?').waitFor()
  expect(await places.count()).toBe(2)
  await page.getByRole('region', { name: 'Prompt' }).getByText('Move the store.').waitFor()
  // Only its output has the time as the agent wrote it.
  await world.visit(page, `/tasks/${parked}/why`)
  await page.getByRole('tabpanel').getByText('Usage limit reached.').waitFor()
  expect(await page.getByText(/\dT\d\d:/).count()).toBe(0)
  expectNoErrors(world)
})

test('what Holdfast asks is decided by Resume, Retry or Close, of which Close asks first; every screen has a word for it that is not that of a question', async () => {
  const world = await startPageWorld({ retries: 5, config: 'crashLoop.deaths: 2\nbackoff.base: 50ms\n' })
  const failing = 'do: fail-until fixed permanent the grammar is wrong\ndo: finish ok'
  const resumed = await world.run(failing, '--title', 'Is resumed')
  const closed = await world.run(failing, '--title', 'Is closed')
  const steps = join(world.project, 'steps')
  writeFileSync(steps, 'crash 9\n')
  const retried = await world.run('do: script steps', '--title', 'Is retried')
  for (const id of [resumed, closed, retried]) await world.untilStatus(id, 'waiting_input')
  const { page } = await world.signIn()
  const cardOf = (name: string) => page.getByRole('article', { name })
  await cardOf('Is resumed').getByRole('button', { name: 'Close' }).waitFor()
  expect(await cardOf('Is resumed').getByRole('button').allInnerTexts()).toEqual(['Resume', 'Close'])
  expect(await cardOf('Is retried').getByRole('button').allInnerTexts()).toEqual(['Resume', 'Retry', 'Close'])
  for (const path of ['/', '/tasks', '/tasks?view=board', `/tasks/${resumed}`]) {
    await world.visit(page, path)
    await page.getByText('Is resumed').first().waitFor()
    await page.getByText('to be decided', { exact: true }).first().waitFor()
    expect(await page.getByText('asks', { exact: true }).count(), path).toBe(0)
  }
  await page.getByText('It is for you to decide.').waitFor()
  const asking = await world.run(ASKS, '--converse', '--title', 'Has a question')
  await untilPhase(world, asking, 'asking')
  await world.visit(page, '/tasks')
  await page
    .getByRole('row')
    .filter({ hasText: 'Has a question' })
    .getByText('asks', { exact: true })
    .waitFor()
  const listed = await world.ok(['list'])
  expect(listed.match(new RegExp(`${asking} .*asking `))).not.toBeNull()
  expect(listed.match(new RegExp(`${resumed} .*to be decided `))).not.toBeNull()
  await world.ok(['kill', asking, '--force'])
  await world.visit(page, '/')
  await cardOf('Is closed').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave it' }).click()
  expect(await world.status(closed)).toMatchObject({ task_status: 'waiting_input' })
  await cardOf('Is closed').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await world.untilStatus(closed, 'KILLED')
  writeFileSync(join(world.project, 'fixed'), '')
  writeFileSync(steps, 'finish ok\n')
  await cardOf('Is resumed').getByRole('button', { name: 'Resume' }).click()
  await cardOf('Is retried').getByRole('button', { name: 'Retry' }).click()
  for (const id of [resumed, retried]) await world.untilStatus(id, 'COMPLETED')
  const lastRun = async (id: string) =>
    (await world.daemon.call('GET /api/tasks/:id/why', { id })).runs.at(-1)?.how
  expect([await lastRun(resumed), await lastRun(retried)]).toEqual(['resume', 'fresh'])
  expectNoErrors(world)
})

test('a blocked thread stands among what needs you, is counted beside its place, and goes on from there', async () => {
  const world = await startPageWorld({ config: 'thread.maxTurns: 1\n' })
  const { thread_id: id } = await world.daemon.call('POST /api/threads', { body: { title: 'In circles' } })
  const task = await world.run('do: hang')
  const { run_id } = await untilPhase(world, task, 'working')
  const { page } = await world.signIn()
  await page.getByText('Nothing needs you.').waitFor()
  await world.ok(['thread', 'post', id, 'one'], {
    env: { HOLDFAST_TASK_ID: task, HOLDFAST_RUN: run_id! },
  })
  const card = page.getByRole('article', { name: 'In circles' })
  const { blocked } = await world.daemon.call('GET /api/threads/:id', { id })
  await card.getByText(blocked!.why).waitFor()
  for (const name of [/^Now/, /^Threads/])
    await page.getByRole('link', { name }).getByText('1', { exact: true }).waitFor()
  expect(await card.getByRole('link', { name: 'In circles' }).getAttribute('href')).toBe(`/threads/${id}`)
  await card.getByRole('button', { name: 'Let it go on' }).click()
  await page.getByText('Nothing needs you.').waitFor()
  expect(await world.daemon.call('GET /api/threads/:id', { id })).toMatchObject({ state: 'open' })
  expectNoErrors(world)
})
