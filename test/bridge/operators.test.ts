// After a person has typed into a runtime, the orchestrator of its workspace is told so: once for each time.
import { expect, test } from 'vitest'
import { operatorsSubscription } from '../../src/bridge/operators/subscription.ts'
import { sendPrompt } from '../../src/delivery/inputs/send-prompt.ts'
import { openDesk } from '../../src/supervisor/desk.ts'
import { DurableSubscriber } from '../../src/supervisor/listening/durable-subscriber.ts'
import { MemoryAgent } from '../helpers/memory-agent.ts'
import { runtimeWorld } from '../helpers/runtime-in-time.ts'

const SECOND = 1000
const MINUTE = 60_000

/** A reviewer, and a lead that coordinates. */
async function crew({ lead = true } = {}) {
  const world = await runtimeWorld({ 'orchestrator.role': 'lead' })
  const { core, clock, task, terminal } = world
  const desk = openDesk(world.supervisor, new AbortController().signal)
  const subscribe = async () => {
    const subscriber = new DurableSubscriber(operatorsSubscription(desk), core)
    await subscriber.start()
    return subscriber
  }
  let subscriber = await subscribe()
  const { runtime } = await world.starts()
  const reviewer = await world.comesUp(runtime.taskId)
  const started = lead ? (await world.starts({ role: 'lead' })).runtime : undefined
  const leader = started && new MemoryAgent(world, started.taskId)
  if (started !== undefined) {
    await world.agentStarts(started.taskId)
    await clock.passUntil('the lead', async () => (await task(started.taskId)).phase === 'idle', MINUTE)
  }
  const handled = async () => {
    subscriber.hear()
    await subscriber.whenIdle()
  }
  return {
    ...world,
    id: runtime.taskId,
    leadId: started?.taskId,
    reviewer,
    leader,
    handled,
    /** Another daemon takes the subscription over. */
    again: async () => {
      await subscriber.stop()
      subscriber = await subscribe()
      await handled()
    },
    /** A person comes, says something, and is gone. */
    async personSays(text: string, name: string = runtime.taskId) {
      terminal.personTypes(name)
      await clock.pass(6 * SECOND)
      if (name === runtime.taskId) {
        reviewer.recalls(text)
        reviewer.says('done')
      }
      terminal.personTypes(name)
      await clock.pass(MINUTE)
      await handled()
    },
    told: async () => {
      const inputs = started === undefined ? [] : await core.store.inputs(started.taskId)
      return inputs.filter(({ reason }) => reason === 'operator_intervened')
    },
  }
}

test('the orchestrator gets one message: who was typed into, when, what was said, and how it stands', async () => {
  const it = await crew()
  await it.personSays('use the other branch, token=abcdef123456')
  const [only, ...more] = await it.told()
  expect(more).toEqual([])
  expect(only).toMatchObject({ by: 'holdfast', framed: 1, reason: 'operator_intervened' })
  expect(only?.text).toContain(`typed into the terminal of reviewer@project (session ${it.id})`)
  expect(only?.text).toMatch(
    /\nIt was ada at \/dev\/pts\/0, attached since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\.\n/,
  )
  expect(only?.text).toContain('| use the other branch, token=[redacted]')
  expect(only?.text).toContain('It is ready now, its session is idle.')
  await it.clock.passUntil('the lead to have it', () => it.leader?.heard.length === 1, MINUTE)
  expect(it.leader?.heard[0]?.text).toContain('reason=operator_intervened')
})

test('a burst of keys is one message, a second visit another, and the same words are not told again', async () => {
  const it = await crew()
  for (let keys = 0; keys < 5; keys++) {
    it.terminal.personTypes(it.id)
    await it.clock.pass(4 * SECOND)
  }
  await it.personSays('look at the tests')
  expect(await it.told()).toHaveLength(1)
  it.terminal.personTypes(it.id)
  await it.clock.pass(MINUTE)
  await it.handled()
  const [, second] = await it.told()
  expect(second?.text).toContain('Nothing is known of what they said')
})

test('what Holdfast itself types, and what is typed into the orchestrator, is told to nobody', async () => {
  const it = await crew()
  const { leadId } = it
  if (leadId === undefined) throw new Error('there is no lead')
  await sendPrompt(await it.task(it.id), 'review this', 'ada', it.core)
  await it.clock.passUntil('the prompt', () => it.reviewer.heard.length === 1, MINUTE)
  it.reviewer.says('done')
  await it.clock.pass(MINUTE)
  await it.personSays('hello lead', leadId)
  expect(await it.told()).toEqual([])
})

test('without an orchestrator nobody is told, and later ones are not told of it', async () => {
  const it = await crew({ lead: false })
  await it.personSays('use the other branch')
  expect(await it.core.store.audits({ kind: 'operator_left' })).toHaveLength(1)
  await it.again()
  expect(await it.told()).toEqual([])
})

test('a daemon that dies before it told, or after, leaves one message', async () => {
  const it = await crew()
  it.terminal.personTypes(it.id)
  await it.clock.pass(MINUTE)
  await it.again()
  await it.again()
  expect(await it.told()).toHaveLength(1)
})

test('of several prompts within seconds all are told, the same words said twice as well', async () => {
  const it = await crew()
  await it.personSays('look at the tests')
  it.terminal.personTypes(it.id)
  for (const text of ['yes', 'no', 'yes', 'yes']) {
    it.reviewer.recalls(text)
    it.reviewer.says('done')
  }
  await it.clock.pass(MINUTE)
  await it.handled()
  const [, second] = await it.told()
  const quoted = second?.text.split('\n').filter((line) => line.startsWith('|'))
  expect(quoted).toEqual(['| yes', '| no', '| yes', '| yes'])
})

test('two people at one terminal are both named, in one message', async () => {
  const it = await crew()
  it.terminal.personTypes(it.id, 'ada')
  await it.clock.pass(6 * SECOND)
  it.terminal.personTypes(it.id, 'grace')
  await it.clock.pass(MINUTE)
  await it.handled()
  const [only, ...more] = await it.told()
  expect(more).toEqual([])
  expect(only?.text.match(/It was \w+/g)).toEqual(['It was ada', 'It was grace'])
})
