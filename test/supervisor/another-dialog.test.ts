// An answer is given for one dialog. It must never meet another one, which nobody was asked about.
import { expect, test } from 'vitest'
import { answerTask } from '../../src/supervisor/orders/answer-task.ts'
import { startCoreInTime } from '../helpers/core-in-time.ts'
import { MemoryAgent } from '../helpers/memory-agent.ts'

const SECOND = 1000
const OPTIONS = ['yes', 'no']

async function asking() {
  const world = await startCoreInTime()
  const id = await world.creates('first', { mode: 'interactive' })
  const agent = new MemoryAgent(world, id)
  await world.agentStarts(id)
  await world.clock.passUntil('its first prompt', () => agent.heard.length === 1)
  agent.asks('Delete /tmp/a?', OPTIONS)
  await world.clock.passUntil('the question', async () => (await world.task(id)).status === 'waiting_input')
  await world.clock.pass(10 * SECOND)
  const { core } = world
  return {
    ...world,
    id,
    agent,
    heard: () => agent.heard.map(({ text }) => text),
    questions: async () => (await core.store.openQuestions(id)).map(({ number, text }) => [number, text]),
    answer: async (number: number) =>
      answerTask(await world.task(id), { choice: 'yes', number, by: 'ann' }, core),
  }
}

test('a dialog that takes the place of one that nobody answered is another question', async () => {
  const { id, task, agent, clock, heard, questions, answer } = await asking()
  agent.asks('Delete /home?', OPTIONS)
  await clock.passUntil('the other question', async () => (await questions())[0]?.[0] === 2)
  expect(await questions()).toEqual([[2, 'Delete /home?']])
  expect((await task(id)).reason).toBe('Delete /home? (yes / no)')
  await expect(answer(1)).rejects.toMatchObject({ code: 'NOT_ASKING' })
  await clock.pass(30 * SECOND)
  expect(heard()).toEqual(['first'])
  await answer(2)
  await clock.passUntil('the answer', () => heard().length === 2)
})

test('an answer to a dialog that has just gone is refused, also before the next one is a question', async () => {
  const { agent, clock, heard, questions, answer } = await asking()
  agent.asks('Delete /home?', OPTIONS)
  expect(await questions()).toEqual([[1, 'Delete /tmp/a?']])
  await expect(answer(1)).rejects.toMatchObject({
    code: 'NOT_ASKING',
    message: expect.stringContaining('its terminal shows another dialog'),
  })
  await clock.pass(30 * SECOND)
  expect(heard()).toEqual(['first'])
})

test.each([1, 2, 3, 4, 5])(
  'an answer that waits is not typed into a dialog that comes before look %i',
  async (before) => {
    const { agent, clock, questions, answer, terminal } = await asking()
    const { look } = terminal
    await answer(1)
    let looks = 0
    terminal.look = async (...which) => {
      if (++looks === before) agent.asks('Delete /home?', OPTIONS)
      return look.apply(terminal, which)
    }
    await clock.pass(30 * SECOND)
    expect(await questions()).toEqual([[2, 'Delete /home?']])
    expect(agent.heard.map(({ dialog }) => dialog)).not.toContain('Delete /home?')
  },
)
