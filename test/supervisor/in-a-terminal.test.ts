// What is asked on a screen and typed into it, over seconds and minutes that pass in a moment.
import { expect, test, vi } from 'vitest'
import { sendPrompt } from '../../src/delivery/inputs/send-prompt.ts'
import { answerTask } from '../../src/supervisor/orders/answer-task.ts'
import { startCoreInTime } from '../helpers/core-in-time.ts'
import { MemoryAgent } from '../helpers/memory-agent.ts'

const SECOND = 1000

/** An agent in its terminal, which was told its first prompt. */
async function atWork() {
  const world = await startCoreInTime()
  const id = await world.creates('first', { mode: 'interactive' })
  const agent = new MemoryAgent(world, id)
  await world.agentStarts(id)
  await world.clock.passUntil('its first prompt', () => agent.heard.length === 1)
  return { ...world, id, agent, heard: () => agent.heard.map(({ text }) => text) }
}

/** The same, after its turn. */
async function atRest() {
  const world = await atWork()
  world.agent.says('done')
  await world.clock.passUntil('it to be idle', async () => (await world.task(world.id)).phase === 'idle')
  return world
}

test('a prompt is typed once, and its turn is over when the screen says so', async () => {
  const { id, core, task, clock, heard } = await atRest()
  expect(heard()).toEqual(['first'])
  await clock.pass(120 * SECOND)
  expect(heard()).toEqual(['first'])
  expect((await task(id)).phase).toBe('idle')
  expect(await core.store.inputs(id)).toMatchObject([{ text: 'first', doneAt: expect.any(Number) }])
  expect(await core.store.runsOf(id)).toMatchObject([{ progress: 1 }])
})

test('a question asked on the screen is stored, and its answer typed once', async () => {
  const { id, core, agent, task, clock, heard } = await atWork()
  agent.asks('Which colour?', ['red', 'green'])
  await clock.passUntil('the question', async () => (await task(id)).status === 'waiting_input')
  expect(await core.store.openQuestions(id)).toMatchObject([
    { text: 'Which colour?', options: ['red', 'green'], answer: null },
  ])
  await clock.pass(60 * SECOND)
  expect(await core.store.openQuestions(id)).toHaveLength(1)
  await answerTask(await task(id), { choice: 'green', number: undefined, by: 'ann' }, core)
  await clock.passUntil('the answer', () => agent.heard.length === 2)
  expect(heard()).toEqual(['first', '2 Enter'])
  await clock.passUntil('it to go on', async () => (await task(id)).status === 'running')
  await clock.pass(60 * SECOND)
  expect(heard()).toEqual(['first', '2 Enter'])
  expect(await core.store.openQuestions(id)).toEqual([])
})

test('nothing is typed until nobody has pressed a key for the quiet window of 20 s', async () => {
  const { id, core, agent, terminal, task, clock, heard } = await atRest()
  terminal.personTypes(id)
  await sendPrompt(await task(id), 'second', 'ann', core)
  await clock.pass(15 * SECOND)
  terminal.personTypes(id)
  const lastKey = clock.now()
  await clock.pass(19 * SECOND)
  expect(terminal.typed(id)).not.toContain('paste second')
  await clock.passUntil('the prompt', () => agent.heard.length === 2, 10 * SECOND)
  expect(heard()).toEqual(['first', 'second'])
  expect(agent.heard[1]!.at - lastKey).toBeGreaterThanOrEqual(20 * SECOND)
})

test('a prompt behind half a line of a person’s is asked about within a minute, and typed when the line is gone', async () => {
  const { id, core, agent, task, clock, heard } = await atRest()
  agent.personDrafts('half a thought')
  await sendPrompt(await task(id), 'second', 'ann', core)
  const sentAt = clock.now()
  await clock.passUntil('the question', async () => (await task(id)).status === 'waiting_input', 90 * SECOND)
  expect(clock.now() - sentAt).toBeLessThanOrEqual(60 * SECOND)
  const [question] = await core.store.openQuestions(id)
  expect(question!.text).toContain('its input box holds unsent text: "half a thought"')
  expect(heard()).toEqual(['first'])
  agent.personDrafts('')
  await clock.passUntil('the prompt', () => agent.heard.length === 2)
  expect(heard()).toEqual(['first', 'second'])
  await clock.pass(5 * SECOND)
  expect(await core.store.openQuestions(id)).toEqual([])
})

test('a prompt that meets a hung server is typed once, when it answers', async () => {
  const { id, core, terminal, task, clock, heard } = await atRest()
  terminal.stopServer()
  await sendPrompt(await task(id), 'second', 'ann', core)
  await clock.pass(60 * SECOND)
  expect(heard()).toEqual(['first'])
  expect((await task(id)).status).toBe('running')
  terminal.continueServer()
  await clock.pass(60 * SECOND)
  expect(heard()).toEqual(['first', 'second'])
})

test('an idle agent that draws its clock is read every two minutes, within a second or two when its cursor moves', async () => {
  const { id, agent, terminal, clock, core } = await atRest()
  let reads = 0
  const { look } = terminal
  terminal.look = async (...which) => {
    reads++
    return look.apply(terminal, which)
  }
  const drawFor = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      agent.drawsClock(`project | ctx(1%) | 12:00:${second}`)
      await clock.pass(SECOND)
    }
  }
  await drawFor(130)
  reads = 0
  await drawFor(240)
  expect(reads).toBe(2)
  agent.personDrafts('half a li')
  await clock.pass(1.5 * SECOND)
  expect(reads).toBe(3)
  terminal.personTypes(id)
  await clock.pass(1.5 * SECOND)
  reads = 0
  for (const words of ['half a line', 'half a line m', 'half a line mo']) {
    agent.personDrafts(words)
    await clock.pass(SECOND)
  }
  expect(reads).toBe(3)
  expect(core.watched.get(id)!.screen).toMatchObject({ phase: 'idle', activeAt: expect.any(Number) })
})

test('panes of idle agents are listed seldom; yet the agent of one that was closed is ended after a grace of 5 s', async () => {
  const { id, terminal, clock, core } = await atRest()
  await clock.pass(60 * SECOND)
  let listings = 0
  const { panes } = terminal
  terminal.panes = async () => {
    listings++
    return panes.apply(terminal)
  }
  await clock.pass(100 * SECOND)
  expect(listings).toBeLessThanOrEqual(10)
  const ended = vi.spyOn(core.processes, 'carrying')
  terminal.killPane(id)
  await clock.pass(4 * SECOND)
  expect(ended).not.toHaveBeenCalled()
  await clock.pass(3 * SECOND)
  expect(ended).toHaveBeenCalled()
})

test('an agent is no longer idle in the commit that says its prompt was typed', async () => {
  const { id, core, clock, agent, task } = await atRest()
  const phases: (string | null)[] = []
  const { commit } = core
  vi.spyOn(core, 'commit').mockImplementation(async (change) => {
    const committed = await commit(change)
    if (change.say !== undefined) phases.push((await task(id)).phase)
    return committed
  })
  await sendPrompt(await task(id), 'second', 'ann', core)
  await clock.passUntil('the prompt', () => agent.heard.length === 2)
  await clock.passUntil('it to be said', () => phases.length > 0)
  expect(phases).toEqual(['working'])
})
