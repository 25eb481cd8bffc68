// A launch that tmux accepts and that never happens: nobody claims the run, and no process appears.
import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { personDecides } from '../../src/supervisor/orders/person-decides.ts'
import { startCoreInTime } from '../helpers/core-in-time.ts'

const GRACE = 5000

async function neverClaimed() {
  const world = await startCoreInTime({ 'launch.grace': GRACE })
  const id = await world.creates('work')
  const states = async () => (await world.core.store.runsOf(id)).map(({ state }) => state)
  return { ...world, id, states }
}

test('it is tried three times, then a person is asked, and nothing is started meanwhile', async () => {
  const { clock, core, id, task, states } = await neverClaimed()
  await clock.passUntil('a question', async () => (await task(id)).phase === 'asking', 10 * GRACE)
  expect(await states()).toEqual(['void', 'void', 'void'])
  expect(await task(id)).toMatchObject({
    status: 'waiting_input',
    question: 1,
    reason: '3 launches in a row did not happen: no process appeared',
  })
  expect(await core.store.openQuestions(id)).toMatchObject([{ options: ['resume', 'close'] }])
  await clock.pass(10 * GRACE)
  expect(await states()).toHaveLength(3)
})

test('a person lets it try again, and it works when its shim is there', async () => {
  const { clock, core, id, task, states, agentStarts } = await neverClaimed()
  await clock.passUntil('a question', async () => (await task(id)).phase === 'asking', 10 * GRACE)
  await personDecides(id, { choice: 'resume', by: 'me' }, core)
  await agentStarts(id)
  expect(await states()).toEqual(['void', 'void', 'void', 'live'])
  expect(await core.store.openQuestions(id)).toEqual([])
})

test('one that happens in between begins the count anew', async () => {
  const { clock, id, task, states, agentStarts, agentExits } = await neverClaimed()
  await clock.passUntil('a second try', async () => (await states()).length === 2, 10 * GRACE)
  await clock.passUntil('a third try', async () => (await states()).length === 3, 10 * GRACE)
  await agentStarts(id)
  await agentExits(id, { code: 1 })
  await clock.passUntil('a fifth try', async () => (await states()).length === 5, 20 * GRACE)
  expect((await task(id)).phase).not.toBe('asking')
})

test('words that a launch which never happened was to carry are said by the resume of a person', async () => {
  const { clock, core, home, id, task, agentStarts, agentExits } = await neverClaimed()
  await agentStarts(id)
  const session = { type: 'session', id: '11111111-2222-4333-8444-555555555555' }
  appendFileSync(`${home.run((await task(id)).runId!)}/events.jsonl`, `${JSON.stringify(session)}\n`)
  await agentExits(id, { code: 1 })
  await agentStarts(id)
  await agentExits(id, { code: 1 })
  expect((await task(id)).phase).toBe('backing_off')
  await personDecides(id, { choice: 'resume', by: 'me', prompt: 'use port 81' }, core)
  await clock.passUntil('a question', async () => (await task(id)).phase === 'asking', 10 * GRACE)
  await personDecides(id, { choice: 'resume', by: 'me' }, core)
  await agentStarts(id)
  const runs = await core.store.runsOf(id)
  expect(runs.slice(2).map(({ state, told }) => ({ state, told }))).toEqual([
    ...Array(3).fill({ state: 'void', told: 'use port 81' }),
    { state: 'live', told: 'use port 81' },
  ])
})
