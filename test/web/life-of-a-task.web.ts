// A task from its creation to its end, as a person sees it in a browser while it happens.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentPid, anotherAgent, untilPhase } from '../helpers/faults.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { CLI } from '../helpers/world.ts'
import { openContext } from './lib/browser.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

const QUICK = 'backoff.base: 50ms\nbackoff.cap: 200ms\nreconcile.interval: 300ms\n'

test('a task is made in the form, watched while it works, and seen to be done', async () => {
  const world = await startPageWorld()
  await world.ok(['workspace', 'add', world.project])
  const { page } = await world.signIn()
  await world.visit(page, '/new')
  await page
    .getByLabel('What is to be done')
    .fill('do: say the first words\ndo: wait-for go\ndo: write out.md done\ndo: finish whole')
  await page.getByLabel('Title').fill('Made in the page')
  await page.getByLabel('Contract').fill('file:out.md')
  await page.getByRole('button', { name: 'Start the task' }).click()
  await page.getByRole('heading', { level: 1, name: /Made in the page/ }).waitFor()
  await page.getByRole('log').getByText('the first words').waitFor()
  await page.locator('h1').getByText('works', { exact: true }).waitFor()
  writeFileSync(join(world.project, 'go'), '')
  await page.locator('h1').getByText('done', { exact: true }).waitFor()
  const { tasks } = await world.daemon.call('GET /api/tasks', { query: {} })
  expect(tasks).toHaveLength(1)
  expect(tasks[0]).toMatchObject({ status: 'COMPLETED', title: 'Made in the page' })
  expectNoErrors(world)
})

/** Stands for the real one, and writes down how it was started. */
const CODEX = '#!/bin/sh\n[ "$1" = --version ] || printf "%s " "$@" >started.txt\n'

test('what the daemon refuses stands at its field with the hint, and nothing that was written is lost; a task has the role, the agent, the mode and the permissions that were chosen', async () => {
  const bin = tempDir('hfbin')
  writeFileSync(join(bin, 'codex'), CODEX, { mode: 0o755 })
  const world = await startPageWorld({ env: { PATH: `${bin}:${process.env.PATH}` } })
  await world.ok(['workspace', 'add', world.project])
  mkdirSync(join(world.project, 'agents/reviewer'), { recursive: true })
  writeFileSync(
    join(world.project, 'agents/reviewer/reviewer-agent.md'),
    '---\ndescription: Reads every change.\n---\nYou review.\n',
  )
  const { page } = await world.signIn()
  await world.visit(page, '/new')
  const field = (label: string) => page.getByLabel(label, { exact: true })
  const written = { 'What is to be done': 'Look at it', Title: 'Mine', Contract: 'file:/etc/passwd' }
  for (const [label, text] of Object.entries(written)) await field(label).fill(text)
  const chosen = { Role: 'reviewer', Mode: 'interactive', 'May do without asking': 'read' }
  for (const [label, one] of Object.entries(chosen)) await field(label).selectOption(one)
  await page.getByText('Reads every change.').waitFor()
  const start = page.getByRole('button', { name: 'Start the task' })
  const refusedAt = async (label: string, because: string) => {
    await start.click()
    await page.getByText(because).waitFor()
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(1)
    expect(await field(label).getAttribute('aria-invalid')).toBe('true')
  }
  await refusedAt('Contract', 'docs/verify.md shows every check')
  for (const [label, text] of Object.entries({ ...written, ...chosen }))
    expect(await field(label).inputValue()).toBe(text)
  await field('Contract').fill('')
  await refusedAt('Agent', "The agent 'scripted' does not support permissions 'read'")
  await field('Agent').selectOption('codex')
  await start.click()
  await page.getByRole('heading', { level: 1, name: /Mine/ }).waitFor()
  expect(await world.status(new URL(page.url()).pathname.split('/')[2]!)).toMatchObject({
    ...{ title: 'Mine', dir: world.project, has_contract: false },
    ...{ agent: 'reviewer', agent_kind: 'codex', mode: 'interactive' },
  })
  const started = join(world.project, 'started.txt')
  await waitFor('it to be started', () => existsSync(started) && readFileSync(started, 'utf8') !== '')
  expect(readFileSync(started, 'utf8')).toContain('--sandbox read-only')
  expectNoErrors(world)
})

test('a question is answered with one press, "the dialog closed" is true, a second tab sees it too, and on the board the card goes from column to column', async () => {
  const world = await startPageWorld()
  const { page, context } = await world.signIn()
  const [other, board] = [await context.newPage(), await context.newPage()]
  await world.visit(board, '/tasks?view=board')
  const id = await world.run(
    'do: ask Which colour? | red | blue\ndo: wait-for go',
    ...['--converse', '--title', 'Paints'],
  )
  const standsIn = async (column: string) => {
    await board
      .getByRole('region', { name: `${column}: cards` })
      .getByText('Paints')
      .waitFor()
    expect(await board.getByText('Paints').count()).toBe(1)
  }
  await standsIn('Needs you')
  await world.visit(other, `/tasks/${id}`)
  for (const one of [page, other]) await one.getByText('Which colour?', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: '2 blue' }).click()
  await page.getByText('The dialog closed.').waitFor()
  const { phase, questions } = await world.status(id)
  expect({ phase, questions }).toEqual({ phase: 'working', questions: [] })
  await other.getByRole('button', { name: '2 blue' }).waitFor({ state: 'detached' })
  await other.locator('h1').getByText('works', { exact: true }).waitFor()
  await standsIn('At work')
  writeFileSync(join(world.project, 'go'), '')
  await untilPhase(world, id, 'idle')
  await standsIn('Waiting')
  await world.ok(['finish', id])
  await standsIn('Ended')
  expectNoErrors(world)
})

test('a tab that has not heard of an answer is told that somebody was first', async () => {
  const world = await startPageWorld()
  const { page, context } = await world.signIn()
  const other = await context.newPage()
  const id = await world.run('do: ask Go? | yes | no\ndo: wait-for go', '--converse')
  await world.visit(other, '/')
  for (const one of [page, other]) await one.getByRole('button', { name: '1 yes' }).waitFor()
  await other.route('**/api/**', (route) =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  )
  await page.getByRole('button', { name: '1 yes' }).click()
  await page.getByText('The dialog closed.').waitFor()
  await other.getByRole('button', { name: '2 no' }).click()
  await other
    .getByRole('alert')
    .getByText(/asks nothing|does not ask|no open question|answered already/)
    .waitFor()
  const audit = await world.daemon.call('GET /api/audit', { query: { task: id, kind: 'question_answered' } })
  expect(audit.entries.map(({ detail }) => detail)).toEqual([expect.stringContaining('yes')])
})

test('a task is killed after the page asked whether it may be, and its agent is gone when the page says killed', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn()
  const id = await world.run('do: hang', '--title', 'To be killed')
  const pid = await agentPid(world, id)
  await world.visit(page, `/tasks/${id}`)
  await page.getByRole('button', { name: 'Kill' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Kill' }).click()
  await page.locator('h1').getByText('killed', { exact: true }).waitFor()
  await waitFor(`agent ${pid} to be gone`, () => !isAlive(pid))
  expect(await world.status(id)).toMatchObject({ status: 'KILLED' })
  expectNoErrors(world)
})

test('an agent that is killed -9 while the page is open is seen to die and to go on; the timeline has its tool call, and the evidence under the pointer', async () => {
  const world = await startPageWorld({ config: QUICK, retries: 5 })
  const { page } = await world.signIn()
  const script = 'do: tool 0.1 npm test\ndo: say before\ndo: wait-for go\ndo: finish whole'
  const id = await world.run(script, '--title', 'Goes on')
  const pid = await agentPid(world, id)
  await world.visit(page, `/tasks/${id}`)
  await page.getByRole('log').getByText('before').waitFor()
  const call = page.getByLabel('Timeline').getByRole('button', { name: /^npm test.* · took / })
  await call.hover()
  await page
    .getByLabel('Timeline')
    .getByText(/npm test.* · took /)
    .waitFor()
  const deaths = page.getByLabel('Timeline').getByText('✕')
  expect(await deaths.count()).toBe(0)
  process.kill(pid, 'SIGKILL')
  await anotherAgent(world, id, pid)
  await deaths.first().waitFor()
  await page.getByLabel('Timeline').getByRole('button', { name: /^2 / }).waitFor()
  await page.locator('h1').getByText('works', { exact: true }).waitFor()
  const told = page.getByLabel('Timeline').getByRole('paragraph')
  await page.getByLabel('Timeline').getByRole('button', { name: /^2 / }).hover()
  await told
    .getByText(/its (own word|process): /)
    .first()
    .waitFor()
  await deaths.first().hover()
  await told.getByText('exit record: signal KILL').waitFor()
  await page.getByRole('log').getByText('run 1 ended: killed by SIGKILL').waitFor()
  await page.getByText('Running for').waitFor()
  writeFileSync(join(world.project, 'go'), '')
  await page.locator('h1').getByText('done', { exact: true }).waitFor()
  expectNoErrors(world)
})

test('a reload shows the same, and a link that was used lets nobody in', async () => {
  const world = await startPageWorld()
  const { page } = await world.signIn()
  const id = await world.run('do: say here I am\ndo: hang', '--title', 'Stays')
  await world.visit(page, `/tasks/${id}`)
  await page.getByRole('log').getByText('here I am').waitFor()
  await page.reload()
  await page.getByRole('log').getByText('here I am').waitFor()
  await page.locator('h1').getByText('works', { exact: true }).waitFor()
  const { link } = await world.json<{ link: string }>(['web', '--no-open'])
  await page.goto(link)
  await waitFor('the code to be gone from the address', () => !page.url().includes(link.split('/').at(-1)!))
  const stranger = await openContext()
  const again = await stranger.request.get(link, { maxRedirects: 0 })
  expect(again.status()).toBeGreaterThanOrEqual(400)
  expect(again.headers()['set-cookie']).toBeUndefined()
})

test('the page of a task has all tasks that it started, archived ones too, and no others', async () => {
  const world = await startPageWorld({ config: 'recursion.depth: 1\n' })
  const child = (title: string, script: string) =>
    [process.execPath, CLI, '--home', world.home, 'run', '--title', title, script].map((word) => `'${word}'`)
  const calls = [child('Ends soon', 'do: finish ok'), child('Goes on', 'do: hang')]
  writeFileSync(join(world.project, 'call.sh'), `${calls.map((words) => words.join(' ')).join('\n')}\n`)
  const parent = await world.run('do: run sh call.sh\ndo: finish ok', '--title', 'The parent')
  await world.run('do: hang', '--title', 'Nobody’s child')
  const rows = await waitFor('both children', async () => {
    const listed = await world.daemon.call('GET /api/tasks/rows', { query: { parent } })
    return listed.rows.length === 2 && listed.rows
  })
  expect(rows.map(({ title }) => title).sort()).toEqual(['Ends soon', 'Goes on'])
  const done = rows.find(({ title }) => title === 'Ends soon')!.session_id
  await world.untilStatus(done, 'COMPLETED')
  await world.ok(['archive', done])
  const { page } = await world.signIn()
  await world.visit(page, `/tasks/${parent}/children`)
  for (const title of ['Ends soon', 'Goes on']) await page.getByRole('link', { name: title }).waitFor()
  expect(await page.getByRole('tabpanel').getByRole('listitem').count()).toBe(2)
  expectNoErrors(world)
})
