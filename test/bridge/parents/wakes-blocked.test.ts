// A parent that is woken again and again by children of which none completes is not woken any more, until a person speaks.
import { expect, test } from 'vitest'
import { sendPrompt } from '../../../src/delivery/inputs/send-prompt.ts'
import type { TaskId } from '../../../src/domain/names/ids.ts'
import { personDecides } from '../../../src/supervisor/orders/person-decides.ts'
import { aMove } from '../../builders/move.ts'
import { settled } from '../../helpers/settled.ts'
import { startWaking } from '../waking-world.ts'

const QUIET_MS = 100
const LIMIT = 3
const settings = { 'recursion.depth': 1, 'wake.quiet': QUIET_MS, 'thread.maxTurns': LIMIT }

async function family() {
  const it = await startWaking(settings)
  let born = 0
  const child = async (parentId: TaskId) => (await it.agent(`child-${++born}`, { parentId })).id
  return {
    ...it,
    child,
    fails: async (parentId: TaskId) => {
      const id = await child(parentId)
      await it.core.commit({ task: aMove(id, 'running', 'failed') })
      await settled()
    },
    blocked: (id: TaskId) => it.core.store.audits({ taskId: id, kind: 'parent_wakes_blocked' }),
  }
}

/** A parent in its terminal: each child is told of, and the parent's turn ends. */
async function inTerminal() {
  const it = await family()
  const parent = await it.atRest('parent')
  const isTold = async (times: number) => {
    await it.clock.passUntil('it to hear', () => parent.agent.heard.length === times)
    parent.agent.says('I try another one')
    await it.clock.passUntil('its turn to be over', async () => (await it.task(parent.id)).phase === 'idle')
  }
  return { ...it, parent, isTold }
}

test('a parent in a terminal is told of so many failures in a row; then people are told once, and nothing is lost', async () => {
  const it = await inTerminal()
  const { id, agent } = it.parent
  for (let times = 1; times <= LIMIT; times++) {
    await it.fails(id)
    await it.isTold(times + 1)
  }
  await it.fails(id)
  await it.clock.pass(60_000)
  await it.fails(id)
  await it.clock.pass(60_000)
  await it.wakersStart()
  await it.clock.pass(60_000)
  expect(agent.heard).toHaveLength(LIMIT + 1)
  expect(await it.blocked(id)).toMatchObject([
    { detail: expect.stringContaining(`woken ${LIMIT} times in a row`) },
  ])
  expect(await it.core.store.unboundFor(id)).toHaveLength(2)
  const events = (await it.core.store.events(0, 10_000)).filter(({ kind }) => kind === 'escalation')
  expect(events).toMatchObject([{ taskId: id }])

  await sendPrompt(await it.task(id), 'go on', 'ada', it.core)
  await it.isTold(LIMIT + 2)
  await it.isTold(LIMIT + 3)
  expect(agent.heard.at(-1)?.text).toContain('There is news of 2 sessions')
  expect(await it.core.store.unboundFor(id)).toEqual([])
})

test('a child that completes is progress, and what another agent says is no word of a person', async () => {
  const it = await inTerminal()
  const { id, agent } = it.parent
  let heard = 1
  const isTold = () => it.isTold(++heard)
  for (let times = 1; times < LIMIT; times++) {
    await it.fails(id)
    await isTold()
  }
  await it.finishes(await it.child(id))
  await isTold()
  for (let times = 1; times <= LIMIT; times++) {
    await it.fails(id)
    await isTold()
  }
  await sendPrompt(await it.task(id), 'faster', 'run 20251118-run', it.core)
  await isTold()
  await it.fails(id)
  await it.clock.pass(60_000)
  expect(agent.heard).toHaveLength(heard)
  expect(await it.blocked(id)).toHaveLength(1)
})

test('a headless parent asks a person, and goes on with the news when they say so', async () => {
  const it = await family()
  const { id } = await it.agent('parent')
  const run = async () => it.core.watched.get(id)?.run.number
  for (let times = 1; times <= LIMIT; times++) {
    await it.fails(id)
    await it.finishes(id, 'I try another one')
    await it.clock.passUntil('its next run', async () => (await run()) === times + 1)
    await it.agentStarts(id)
  }
  await it.fails(id)
  await it.finishes(id, 'I try another one')
  await it.clock.passUntil('its question', async () => (await it.task(id)).phase === 'asking')
  const [question] = await it.core.store.openQuestions(id)
  expect(question).toMatchObject({ options: ['resume', 'close'] })
  expect(question?.text).toContain('goes in circles')

  await personDecides(id, { choice: 'resume', by: 'ada' }, it.core)
  await it.clock.passUntil('its run', async () => (await run()) === LIMIT + 2)
  await it.agentStarts(id)
  await it.finishes(id, 'what is new?')
  await it.clock.passUntil('the run with the news', async () => (await run()) === LIMIT + 3)
  expect(await it.core.store.unboundFor(id)).toEqual([])
})
