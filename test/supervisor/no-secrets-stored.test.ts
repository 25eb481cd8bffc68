// What a screen shows, and what an agent says, may hold a secret. Whatever is stored of it is without.
import { appendFileSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sendPrompt } from '../../src/delivery/inputs/send-prompt.ts'
import type { TaskId } from '../../src/domain/names/ids.ts'
import { type CoreInTime, startCoreInTime } from '../helpers/core-in-time.ts'
import { MemoryAgent } from '../helpers/memory-agent.ts'

const SECRET = 'hunter2hunter2'

async function idleAgent(world: CoreInTime) {
  const id = await world.creates('first', { mode: 'interactive' })
  const agent = new MemoryAgent(world, id)
  await world.agentStarts(id)
  await world.clock.passUntil('its first prompt', () => agent.heard.length === 1)
  agent.says('done')
  await world.clock.passUntil('idle', async () => (await world.task(id)).phase === 'idle')
  return { id, agent }
}

async function everythingStored({ core, task }: CoreInTime, id: TaskId): Promise<string> {
  const { store } = core
  const triggers = await store.triggers({ taskId: id, limit: 10 })
  return JSON.stringify([
    await task(id),
    await store.transitions(id),
    await store.openQuestions(id),
    await store.audits({}),
    await store.events(0, 1000),
    await store.runsOf(id),
    await Promise.all(triggers.map(({ triggerId }) => store.triggerSteps(triggerId))),
  ])
}

test('unsent text in the box of an agent is stored without the password in it: question, reason, audit, events, steps', async () => {
  const world = await startCoreInTime()
  const { core, clock, task } = world
  const { id, agent } = await idleAgent(world)
  agent.personDrafts(`mysql --password=${SECRET}`)
  const sent = await sendPrompt(await task(id), 'go on', 'ann', core, { thread: 'th_01JXYZ' })
  await clock.passUntil('a person to be asked', async () => (await task(id)).phase === 'asking', 120_000)
  expect((await core.store.openQuestions(id))[0]?.text).toContain('--password=[redacted]')
  const stored = await everythingStored(world, id)
  expect(stored).toContain('OPERATOR_BUSY')
  expect(stored).not.toContain('hunter2')
  expect(sent.text).toBe('go on')
})

test('a key that is cut where unsent text is shortened is not stored by half', async () => {
  const world = await startCoreInTime()
  const { core, clock, task } = world
  const { id, agent } = await idleAgent(world)
  agent.personDrafts(`${'x'.repeat(45)} sk-ant-api03-${SECRET}`)
  await sendPrompt(await task(id), 'go on', 'ann', core, { thread: 'th_01JXYZ' })
  await clock.passUntil('a person to be asked', async () => (await task(id)).phase === 'asking', 120_000)
  expect(await everythingStored(world, id)).not.toContain('sk-ant')
})

test('a dialog with a key in it is stored without the key, asked once, and answered where it stands', async () => {
  const world = await startCoreInTime()
  const { core, clock, task } = world
  const { id, agent } = await idleAgent(world)
  await sendPrompt(await task(id), 'go on', 'ann', core)
  await clock.passUntil('the second prompt', () => agent.heard.length === 2)
  agent.asks(`Run curl -H "Authorization: Bearer ${SECRET}"?`, [`yes, token=${SECRET}`, 'no'])
  await clock.passUntil('a question', async () => (await task(id)).phase === 'asking')
  await clock.pass(30_000)
  const [question, ...more] = await core.store.openQuestions(id)
  expect(more).toEqual([])
  expect(question).toMatchObject({
    text: expect.stringContaining('Bearer [redacted]'),
    options: ['yes, token=[redacted]', 'no'],
  })
  await core.commit({
    answer: {
      taskId: id,
      number: question!.number,
      text: question!.options[0]!,
      option: 0,
      by: 'ann',
      at: clock.now(),
    },
  })
  await clock.passUntil('the answer', () => agent.heard.length === 3)
  expect(agent.heard[2]?.text).toBe('1 Enter')
  expect(await everythingStored(world, id)).not.toContain('hunter2')
})

test('a prompt that looks like a secret is typed and stored byte for byte', async () => {
  const world = await startCoreInTime()
  const { core, clock, task } = world
  const { id, agent } = await idleAgent(world)
  const words = `use api_key=${SECRET} for this`
  await sendPrompt(await task(id), words, 'ann', core)
  await clock.passUntil('the prompt', () => agent.heard.length === 2)
  expect(agent.heard[1]?.text).toBe(words)
  expect((await core.store.inputs(id)).at(-1)?.text).toBe(words)
})

test('what an agent without a terminal does and says is stored without the key: its steps, its log, its question', async () => {
  const world = await startCoreInTime()
  const { core, clock, task, home } = world
  const id = await world.creates('first')
  await world.agentStarts(id)
  const { runId } = await task(id)
  const lines = [
    { type: 'tool_start', tool: 'Bash', detail: `${'x'.repeat(280)} --token=${SECRET}` },
    { type: 'say', text: `the password: ${SECRET}` },
    { type: 'ask', question: `May I use secret=${SECRET}?`, options: ['yes', 'no'] },
  ]
  appendFileSync(
    `${home.run(runId!)}/events.jsonl`,
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
  await clock.passUntil('its question', async () => (await task(id)).phase === 'asking')
  const log = readFileSync(core.handoff.paths(await task(id)).outputLog, 'utf8')
  expect(log).toContain('password: [redacted]')
  expect(log).not.toContain('hunt')
  const stored = await everythingStored(world, id)
  expect(stored).toContain('May I use secret=[redacted]')
  expect(stored).toContain('--token=[')
  // Its own last words may become its result: that is what it hands in, and stays as it is.
  expect(stored.replace(`"lastWords":"the password: ${SECRET}"`, '')).not.toContain('hunt')
})
