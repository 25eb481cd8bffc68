// Agents that send prompts to each other are held back as those are that post messages; people are not.
import { expect, test } from 'vitest'
import type { TaskId } from '../../src/domain/names/ids.ts'
import type { Caller } from '../../src/domain/task/caller.ts'
import { ada } from './bridge-world.ts'
import { startWaking } from './waking-world.ts'

type World = Awaited<ReturnType<typeof startWaking>>

const sends = async (
  it: World,
  to: TaskId,
  by: Caller,
  text: string,
  as: { thread?: string; key?: string } = {},
) => it.desk.conversation.send(await it.task(to), text, by.name, as)

async function blockedThread(
  it: World,
  writer: Awaited<ReturnType<World['runtimeUp']>>,
  ...members: string[]
) {
  const thread = await it.threadOf(writer.name, ...members)
  for (const text of ['one', 'two']) await it.post(writer.caller, thread, text)
  await it.clock.pass(1000)
  return thread
}

test('a run sends nothing into a blocked thread until it is continued; a person does, and it stays blocked', async () => {
  const it = await startWaking({ 'thread.maxTurns': 2 })
  const [writer, reviewer] = [await it.runtimeUp('writer'), await it.runtimeUp('reviewer')]
  const thread = await blockedThread(it, writer)
  await expect(sends(it, reviewer.id, writer.caller, 'look', { thread })).rejects.toMatchObject({
    code: 'THREAD_AUTO_BLOCKED',
    message: expect.stringContaining('2 messages of agents without progress'),
  })
  expect(await it.triggers(reviewer.id)).toEqual([])
  await sends(it, reviewer.id, ada, 'look yourself', { thread })
  await it.clock.passUntil('it to hear the person', () => reviewer.agent.heard.length === 1)
  expect((await it.bridge.showThread(ada, thread)).thread.blocked).not.toBe(null)
  await it.bridge.continueThread(ada, { id: thread, why: null })
  await expect(sends(it, reviewer.id, writer.caller, 'look', { thread })).resolves.toMatchObject({ thread })
})

test('what a run sent before its thread was blocked, and nobody heard yet, fails; with its key it is still the same', async () => {
  const it = await startWaking({ 'thread.maxTurns': 2 })
  const [writer, reviewer] = [await it.runtimeUp('writer'), await it.runtimeUp('reviewer')]
  const thread = await it.threadOf(writer.name)
  await sends(it, reviewer.id, ada, 'a long turn')
  await it.clock.passUntil('it to work', () => reviewer.agent.heard.length === 1)
  const sent = await sends(it, reviewer.id, writer.caller, 'look', { thread, key: 'once' })
  const persons = await sends(it, reviewer.id, ada, 'look here', { thread })
  for (const text of ['one', 'two']) await it.post(writer.caller, thread, text)
  await it.clock.pass(1000)
  expect(await it.core.store.trigger(sent.triggerId)).toMatchObject({
    state: 'failed',
    code: 'THREAD_AUTO_BLOCKED',
  })
  expect(await it.core.store.trigger(persons.triggerId)).toMatchObject({ state: 'queued' })
  const again = await sends(it, reviewer.id, writer.caller, 'look', { thread, key: 'once' })
  expect(again.triggerId).toBe(sent.triggerId)
})

test('a prompt of a run that is one too many for its thread waits, says until when, and arrives then', async () => {
  const it = await startWaking({ 'trigger.ratePerThread': 1 })
  const [writer, one, two] = [await it.runtimeUp('writer'), await it.atRest('one'), await it.atRest('two')]
  const thread = await it.threadOf()
  await sends(it, one.id, writer.caller, 'first', { thread })
  const late = await sends(it, two.id, writer.caller, 'second', { thread })
  expect(late).toMatchObject({ state: 'deferred', code: 'TRIGGER_RATE_LIMITED' })
  const { until, steps } = await it.desk.triggers.track(late.triggerId)
  expect(until! - it.clock.now()).toBeGreaterThan(50_000)
  expect(steps.at(-1)?.evidence).toMatchObject([{ fact: expect.stringContaining(`thread ${thread} may`) }])
  await it.clock.pass(50_000)
  expect([one.agent.heard.length, two.agent.heard.length]).toEqual([2, 1])
  await it.clock.pass(15_000)
  expect(two.agent.heard.map(({ text }) => text)).toEqual(['first', expect.stringContaining('second')])
})

test('what an agent posts and what its run sends count together, with or without a thread; people are not counted out', async () => {
  const it = await startWaking({ 'trigger.ratePerAgent': 1 })
  const [writer, reviewer] = [await it.runtimeUp('writer'), await it.runtimeUp('reviewer')]
  const thread = await it.threadOf(reviewer.name, writer.name)
  await it.post(writer.caller, thread, 'please look')
  await it.clock.pass(1000)
  const late = await sends(it, reviewer.id, writer.caller, 'now')
  expect(late).toMatchObject({ state: 'deferred', code: 'TRIGGER_RATE_LIMITED' })
  for (const text of ['one', 'two', 'three'])
    expect(await sends(it, reviewer.id, ada, text, { thread })).toMatchObject({ state: 'queued' })
})

test('a thread that nobody opened is not sent to, by anybody', async () => {
  const it = await startWaking()
  const reviewer = await it.runtimeUp('reviewer')
  for (const thread of ['th_01JXYZ', 'th_01JXYZ0000000000000000000Z'])
    await expect(sends(it, reviewer.id, ada, 'look', { thread })).rejects.toMatchObject({
      code: 'THREAD_NOT_FOUND',
      message: `There is no thread ${thread}.`,
    })
  expect(await it.triggers(reviewer.id)).toEqual([])
})
