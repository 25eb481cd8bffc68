// The terminal dies in the moment in which Enter is pressed: nobody is told whether the key arrived.
import { expect, test } from 'vitest'
import { sendPrompt } from '../../src/delivery/inputs/send-prompt.ts'
import { HoldfastError } from '../../src/domain/errors.ts'
import { CONTINUATION } from '../../src/domain/task/go-on.ts'
import { startCoreInTime } from '../helpers/core-in-time.ts'
import { MemoryAgent } from '../helpers/memory-agent.ts'

const MINUTE = 60_000

/** An idle agent is sent a prompt, and its terminal dies with our Enter. Returns what the agent of the next run heard. */
async function diesWithEnter({ arrived, text = 'second' }: { arrived: boolean; text?: string }) {
  const world = await startCoreInTime()
  const { clock, core, task, terminal } = world
  const id = await world.creates('first', { mode: 'interactive' })
  const agent = new MemoryAgent(world, id)
  await world.agentStarts(id)
  await clock.passUntil('its first prompt', () => agent.heard.length === 1)
  agent.says('done')
  await clock.passUntil('it to be idle', async () => (await task(id)).phase === 'idle')
  const { runId } = await task(id)
  let isDead = false
  agent.onHeard = () => {
    isDead = true
    terminal.killServer()
    throw new HoldfastError('TMUX_UNAVAILABLE', 'the server died')
  }
  await sendPrompt(await task(id), text, 'ada', core)
  await clock.passUntil('our Enter', () => isDead, MINUTE)
  await world.agentExits(id, { code: 1 })
  await clock.passUntil('its next run', async () => (await task(id)).runId !== runId, MINUTE)
  const next = new MemoryAgent(world, id)
  next.recalls('first')
  if (arrived) next.recalls(text)
  await world.agentStarts(id)
  await clock.passUntil('something to be said to it', () => next.heard.length > 0, MINUTE)
  next.says('done')
  await clock.pass(MINUTE)
  return { said: next.heard.map(({ text }) => text), inputs: await core.store.inputs(id) }
}

test('a prompt that the resumed session shows as said is not typed again: its agent is told to go on', async () => {
  const { said, inputs } = await diesWithEnter({ arrived: true })
  expect(said).toEqual([CONTINUATION])
  expect(inputs.map(({ kind, doneAt }) => [kind, doneAt !== null])).toEqual([
    ['prompt', true],
    ['prompt', true],
    ['continuation', true],
  ])
})

test('a prompt that the resumed session does not show is typed, once', async () => {
  const { said, inputs } = await diesWithEnter({ arrived: false })
  expect(said).toEqual(['second'])
  expect(inputs.map(({ doneAt }) => doneAt !== null)).toEqual([true, true])
})

test('the words of an earlier prompt on the screen do not count for a later one of the same words', async () => {
  const { said } = await diesWithEnter({ arrived: false, text: 'first' })
  expect(said).toEqual(['first'])
})
