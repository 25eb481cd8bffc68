// Messages wake those who have not read them.
import { expect, test } from 'vitest'
import { asThreadId } from '../../../src/domain/names/ids.ts'
import { ada } from '../bridge-world.ts'
import { startWaking } from '../waking-world.ts'

const WORK_MS = 60_000

test('a message wakes the other runtime with one trigger in its envelope, and not its author', async () => {
  const it = await startWaking()
  const [writer, reviewer] = [await it.runtimeUp('writer'), await it.runtimeUp('reviewer')]
  const thread = await it.threadOf(reviewer.name, writer.name)
  await it.post(writer.caller, thread, 'please look')
  await it.clock.passUntil('it to hear', () => reviewer.agent.heard.length === 1)
  const [told] = reviewer.agent.heard
  expect(told!.text.split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(
      new RegExp(`^\\[BRIDGE_TRIGGER id=trg_\\d+_\\d+ thread=${thread} reason=new_unread_messages\\]$`),
    ),
    `Read unread messages for thread ${thread}, continue reviewer workflow, then post status update.`,
  ])
  const detail = await it.bridge.showThread(ada, thread)
  expect(detail.members.map(({ name }) => name).sort()).toEqual(['person:ada', reviewer.name, writer.name])
  await it.clock.pass(WORK_MS)
  expect(writer.agent.heard).toEqual([])
  expect(await it.triggers(writer.id)).toEqual([])
})

test('twenty messages while it is busy are one trigger; one after that is the next', async () => {
  const it = await startWaking()
  const reviewer = await it.runtimeUp('reviewer')
  const thread = await it.threadOf(reviewer.name)
  await it.desk.conversation.send(await it.task(reviewer.id), 'a long turn', 'ada')
  await it.clock.passUntil('it to work', () => reviewer.agent.heard.length === 1)
  for (let at = 1; at <= 20; at++) await it.post(ada, thread, `message ${at}`)
  await it.clock.pass(1000)
  const wakes = async () => (await it.triggers(reviewer.id)).filter(({ reason }) => reason !== null)
  expect(await wakes()).toMatchObject([{ state: 'queued', by: 'person:ada' }])
  reviewer.agent.says('done')
  await it.clock.passUntil('it to be woken', () => reviewer.agent.heard.length === 2)
  await it.clock.passUntil('it to have it', async () => (await wakes())[0]?.state === 'submitted')
  expect((await it.read(reviewer.caller, thread)).messages).toHaveLength(20)
  await it.post(ada, thread, 'message 21')
  await it.clock.pass(1000)
  expect(await wakes()).toHaveLength(2)
})

test('reading on acknowledges the wake-up', async () => {
  const it = await startWaking()
  const reviewer = await it.runtimeUp('reviewer')
  const thread = await it.threadOf(reviewer.name)
  await it.post(ada, thread, 'please look')
  await it.clock.passUntil(
    'it to have it',
    async () => (await it.triggers(reviewer.id))[0]?.state === 'submitted',
  )
  await it.clock.pass(10)
  await it.read(reviewer.caller, thread, { upTo: 1 })
  await it.clock.passUntil(
    'its acknowledgement',
    async () => (await it.triggers(reviewer.id))[0]?.ackBy === 'cursor',
  )
  expect(await it.triggers(reviewer.id)).toMatchObject([{ state: 'acknowledged' }])
})

test('neither what others read in the thread, nor what the agent reads in another one, acknowledges the wake-up', async () => {
  const it = await startWaking()
  const [reviewer, tester] = [await it.runtimeUp('reviewer'), await it.runtimeUp('tester')]
  const thread = await it.threadOf(reviewer.name, tester.name)
  const other = await it.threadOf(reviewer.name)
  await it.post(ada, thread, 'please look')
  const wake = async () => (await it.triggers(reviewer.id)).find((one) => one.thread === thread)
  await it.clock.passUntil('it to have it', async () => (await wake())?.state === 'submitted')
  await it.post(ada, other, 'and at this')
  await it.clock.pass(1000)
  await it.read(tester.caller, thread, { upTo: 1 })
  await it.read(reviewer.caller, other, { upTo: 1 })
  await it.clock.pass(2000)
  expect(await wake()).toMatchObject({ state: 'submitted', ackBy: null })
  await it.read(reviewer.caller, thread, { upTo: 1 })
  await it.clock.passUntil('its acknowledgement', async () => (await wake())?.ackBy === 'cursor')
})

test('over the limit of its thread a wake-up is deferred, says so, and comes when its time does', async () => {
  const it = await startWaking({ 'trigger.ratePerThread': 1 })
  const names = ['one', 'two', 'three']
  const agents: Awaited<ReturnType<typeof it.atRest>>[] = []
  for (const name of names) agents.push(await it.atRest(name))
  const thread = await it.threadOf(...agents.map(({ id }) => `task:${id}`))
  await it.post(ada, thread, 'all of you')
  await it.clock.pass(1000)
  const all = async () => it.core.store.triggers({ thread, limit: 9 })
  expect((await all()).map(({ code }) => code).sort()).toEqual([
    'TRIGGER_RATE_LIMITED',
    'TRIGGER_RATE_LIMITED',
    null,
  ])
  const late = (await all()).find(({ code }) => code !== null)!
  const { until, steps } = await it.desk.triggers.track(late.triggerId)
  expect(until! - it.clock.now()).toBeGreaterThan(50_000)
  expect(steps.map(({ event }) => event)).toEqual(['queued', 'deferred'])
  expect(await it.core.store.audits({ kind: 'trigger_deferred' })).toHaveLength(2)
  const heard = () => agents.filter(({ agent }) => agent.heard.length === 2).length
  await it.clock.pass(50_000)
  expect(heard()).toBe(1)
  await it.clock.pass(15_000)
  expect(heard()).toBe(2)
  await it.clock.pass(61_000)
  expect(heard()).toBe(3)
})

test('a blocked thread wakes nobody, also not whom it was about to; continued it wakes who has something to read', async () => {
  const it = await startWaking({ 'thread.maxTurns': 2 })
  const [writer, reviewer] = [await it.runtimeUp('writer'), await it.runtimeUp('reviewer')]
  const thread = await it.threadOf(reviewer.name, writer.name)
  await it.desk.conversation.send(await it.task(reviewer.id), 'a long turn', 'ada')
  await it.clock.passUntil('it to work', () => reviewer.agent.heard.length === 1)
  await it.post(writer.caller, thread, 'one')
  await it.clock.pass(1000)
  await it.post(writer.caller, thread, 'two')
  await it.clock.pass(1000)
  const wakes = async () => it.core.store.triggers({ thread, limit: 9 })
  expect(await wakes()).toMatchObject([{ state: 'failed', code: 'THREAD_AUTO_BLOCKED' }])
  expect((await it.bridge.showThread(ada, thread)).members).toContainEqual({
    name: reviewer.name,
    read: 0,
    notWoken: 'the thread is blocked',
  })
  await it.post(ada, thread, 'stop it')
  reviewer.agent.says('done')
  await it.clock.pass(WORK_MS)
  expect(reviewer.agent.heard).toHaveLength(1)
  await it.bridge.continueThread(ada, { id: thread, why: null })
  await it.clock.passUntil('it to be woken', () => reviewer.agent.heard.length === 2)
  await it.clock.passUntil('the writer, too', () => writer.agent.heard.length === 1)
})

test('a runtime that was not there is woken when it is', async () => {
  const it = await startWaking()
  const thread = await it.threadOf('reviewer@project')
  await it.post(ada, thread, 'for whoever comes')
  expect((await it.bridge.showThread(ada, thread)).members[1]?.notWoken).toBe('nobody has this name')
  const reviewer = await it.runtimeUp('reviewer')
  await it.clock.passUntil('it to be woken', () => reviewer.agent.heard.length === 1)
})

test('of a runtime that is stopped, the thread says so, and that it is woken when it is back', async () => {
  const it = await startWaking()
  const reviewer = await it.runtimeUp('reviewer')
  const thread = await it.threadOf(reviewer.name)
  const stopped = it.desk.runtimes.stop(await it.desk.runtimes.find(reviewer.name), 'ada')
  await it.agentExits(reviewer.id, { code: 0 })
  await stopped
  expect((await it.bridge.showThread(ada, thread)).members[1]?.notWoken).toBe(
    'it is stopped; it is woken when it is started again',
  )
})

test('one that takes no prompts is left alone, and the thread says why', async () => {
  const it = await startWaking()
  const headless = await it.agent('headless')
  const thread = await it.threadOf(`task:${headless.id}`)
  await it.post(ada, thread, 'hello')
  await it.clock.pass(1000)
  expect(await it.triggers(headless.id)).toEqual([])
  expect((await it.bridge.showThread(ada, thread)).members[1]?.notWoken).toBe(
    'it takes no prompts while it works',
  )
})

test('messages of the time when nobody listened wake once, however often a daemon starts', async () => {
  const it = await startWaking()
  const reviewer = await it.atRest('reviewer')
  const thread = await it.threadOf(`task:${reviewer.id}`)
  await it.wakersDie()
  await it.post(ada, thread, 'one')
  await it.post(ada, thread, 'two')
  await it.wakersStart()
  await it.wakersStart()
  await it.clock.passUntil('it to be woken', () => reviewer.agent.heard.length === 2)
  await it.clock.pass(WORK_MS)
  expect(await it.triggers(reviewer.id)).toHaveLength(1)
})

test('what it would have been woken for was deleted: it is woken for what it has not read, and for what comes then', async () => {
  const it = await startWaking()
  const reviewer = await it.runtimeUp('reviewer')
  const thread = await it.threadOf(reviewer.name)
  const quiet = await it.threadOf(reviewer.name)
  await it.post(ada, quiet, 'read long ago')
  await it.clock.passUntil('it to hear', () => reviewer.agent.heard.length === 1)
  await it.read(reviewer.caller, quiet, { upTo: 1 })
  reviewer.agent.says('done')
  await it.clock.passUntil('it to be idle', async () => (await it.task(reviewer.id)).phase === 'idle')
  await it.wakersDie()
  await it.post(ada, thread, 'please look')
  const all = it.clock.now() + 1
  await it.core.store.prune(
    { eventsBefore: all, eventsBeforeAll: all, auditBefore: 0, runsBefore: 0, messagesBefore: 0 },
    10_000,
  )
  await it.wakersStart()
  await it.clock.passUntil('it to hear again', () => reviewer.agent.heard.length === 2)
  expect(reviewer.agent.heard[1]!.text).toContain(thread)
  await it.read(reviewer.caller, thread, { upTo: 1 })
  reviewer.agent.says('done')
  await it.clock.passUntil('it to be idle', async () => (await it.task(reviewer.id)).phase === 'idle')
  await it.post(ada, thread, 'once more')
  await it.clock.passUntil('it to hear once more', () => reviewer.agent.heard.length === 3)
  expect(await it.triggers(reviewer.id)).toHaveLength(3)
})

test('a wake-up follows from the event of the message', async () => {
  const it = await startWaking()
  const reviewer = await it.runtimeUp('reviewer')
  const thread = await it.threadOf(reviewer.name)
  await it.post(ada, thread, 'please look')
  await it.clock.passUntil('it to hear', () => reviewer.agent.heard.length === 1)
  const events = await it.core.store.events(0, 999)
  const posted = events.find(({ kind }) => kind === 'message_posted')!
  expect(posted).toMatchObject({ cause: null, depth: 0 })
  expect(events.filter(({ cause }) => cause?.seq === posted.seq)).toMatchObject([
    { kind: 'input_queued', depth: 1 },
    { kind: 'trigger_queued', depth: 1 },
  ])
})

test('a message of a thread that is no more wakes nobody, and nothing is set aside for it', async () => {
  const it = await startWaking()
  const data = { thread: asThreadId('gone'), number: 1, author: 'person:ada', kind: 'message' } as const
  await it.core.commit({ event: { at: it.clock.now(), kind: 'message_posted', taskId: null, data } })
  await it.clock.pass(10_000)
  expect(await it.core.store.setAsides()).toEqual([])
  const [unread] = (await it.core.store.subscribers()).filter(({ name }) => name.startsWith('unread@'))
  expect(unread!.place).toEqual(await it.core.store.journalEnd())
})
