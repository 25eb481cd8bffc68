// Parents are woken: in a terminal by a prompt, headless by being resumed.
import { expect, test } from 'vitest'
import { sendPrompt } from '../../../src/delivery/inputs/send-prompt.ts'
import type { TaskId } from '../../../src/domain/names/ids.ts'
import type { Config } from '../../../src/domain/settings/config.ts'
import { finishTask } from '../../../src/supervisor/orders/finish-task.ts'
import { killTask } from '../../../src/supervisor/orders/kill-task.ts'
import { personDecides } from '../../../src/supervisor/orders/person-decides.ts'
import { settled } from '../../helpers/settled.ts'
import { startWaking } from '../waking-world.ts'

const QUIET_MS = 2000
const settings = { 'recursion.depth': 1, 'wake.quiet': QUIET_MS }

/** A parent in its terminal, at rest, and children that work. */
async function terminalFamilyWith(more: Partial<Config>, ...names: string[]) {
  const it = await startWaking({ ...settings, ...more })
  const parent = await it.atRest('parent')
  const children: TaskId[] = []
  for (const name of names) children.push((await it.agent(name, { parentId: parent.id })).id)
  return { ...it, parent, children }
}

const terminalFamily = (...names: string[]) => terminalFamilyWith({}, ...names)

/** A parent without a terminal, whose turn is over, and children that work. */
async function headlessFamily(...names: string[]) {
  const it = await startWaking(settings)
  const parent = await it.agent('parent')
  const children: TaskId[] = []
  for (const name of names) children.push((await it.agent(name, { parentId: parent.id })).id)
  return { ...it, parent, children }
}

const isLaunched = (it: Awaited<ReturnType<typeof headlessFamily>>) => async () =>
  it.core.watched.get(it.parent.id)?.run.number === 2

test('ends within the quiet time are one prompt, with both results', async () => {
  const it = await terminalFamily('one', 'two')
  const [one, two] = it.children as [TaskId, TaskId]
  await it.finishes(one)
  await it.clock.pass(1000)
  await it.finishes(two)
  await it.clock.pass(900)
  expect(await it.triggers(it.parent.id)).toEqual([])
  await it.clock.passUntil('it to hear', () => it.parent.agent.heard.length === 2)
  const told = it.parent.agent.heard[1]!.text
  expect(told).toContain('There is news of 2 sessions you started:')
  expect(told).toContain(`${one}: completed`)
  expect(told).toContain(`${two}: completed`)
  expect(told).not.toContain('BRIDGE_TRIGGER')
  await it.clock.pass(60_000)
  expect(await it.triggers(it.parent.id)).toMatchObject([{ reason: 'children', thread: null, framed: 0 }])
  expect(await it.core.store.parentsToTell()).toEqual([])
})

test('what happens while it is told of earlier news is told next, together', async () => {
  const it = await terminalFamily('one', 'two', 'three')
  const [one, two, three] = it.children as [TaskId, TaskId, TaskId]
  it.terminal.personTypes(it.parent.id)
  await it.finishes(one)
  await it.clock.pass(QUIET_MS + 100)
  expect(await it.triggers(it.parent.id)).toHaveLength(1)
  await it.finishes(two)
  await it.clock.pass(QUIET_MS + 100)
  await it.finishes(three)
  await it.clock.pass(QUIET_MS + 100)
  expect(await it.triggers(it.parent.id)).toHaveLength(1)
  await it.clock.passUntil('it to hear', () => it.parent.agent.heard.length === 2)
  await it.clock.passUntil('the next', async () => (await it.triggers(it.parent.id)).length === 2)
  it.parent.agent.says('seen')
  await it.clock.passUntil('it to hear more', () => it.parent.agent.heard.length === 3)
  const told = it.parent.agent.heard[2]!.text
  expect([told.includes(one), told.includes(two), told.includes(three)]).toEqual([false, true, true])
})

test('a child that asks is told to its parent, and nothing is typed into a dialog', async () => {
  const it = await terminalFamily('one')
  const [one] = it.children as [TaskId]
  it.parent.agent.asks('May I?', ['yes', 'no'])
  await it.clock.pass(2000)
  await it.agentExits(one, { code: 127 })
  await it.clock.pass(30_000)
  expect(await it.task(one)).toMatchObject({ status: 'waiting_input' })
  expect(it.parent.agent.heard).toHaveLength(1)
  expect(await it.triggers(it.parent.id)).toMatchObject([{ state: 'queued' }])
})

test('a child that is still stuck after it was resumed is told to its parent, once', async () => {
  const it = await terminalFamilyWith({ 'stuck.after': 60_000, 'stuck.quiet': 60_000 }, 'one')
  const [one] = it.children as [TaskId]
  const isStuck = async () => (await it.task(one)).phase === 'stuck'
  it.agentsRest()
  await it.clock.passUntil('it to be stuck', isStuck, 300_000)
  await it.agentExits(one, { code: 1 })
  const isBack = () => it.core.watched.get(one)?.run.number === 2
  await it.clock.passUntil('it to be resumed', isBack, 300_000)
  await it.agentStarts(one)
  expect(it.parent.agent.heard).toHaveLength(1)
  // What its parent is to be told is stored with the move, whoever listens.
  await it.wakersDie()
  await it.clock.passUntil('it to be stuck again', isStuck, 300_000)
  expect(await it.task(one)).toMatchObject({ status: 'waiting_input' })
  expect(await it.core.store.parentsToTell()).toEqual([it.parent.id])
  await it.wakersStart()
  await it.clock.passUntil('the parent to hear', () => it.parent.agent.heard.length === 2)
  const told = it.parent.agent.heard[1]!.text
  expect(told).toContain(`${one}: stuck: `)
  expect(told).toContain('no sign of life for 1m')
  await it.clock.pass(60_000)
  expect(await it.triggers(it.parent.id)).toMatchObject([{ reason: 'children' }])
})

test('news that nobody heard of before the daemon died are told once by the next', async () => {
  const it = await terminalFamily('one', 'two')
  const [one, two] = it.children as [TaskId, TaskId]
  await it.finishes(one)
  await it.wakersDie()
  await it.finishes(two)
  await it.wakersStart()
  await it.clock.passUntil('it to hear', () => it.parent.agent.heard.length === 2)
  await it.wakersStart()
  await it.clock.pass(60_000)
  expect(await it.triggers(it.parent.id)).toHaveLength(1)
  expect(it.parent.agent.heard[1]!.text).toContain(`${two}: completed`)
})

test('a runtime is told of what it started in its envelope', async () => {
  const it = await startWaking(settings)
  const parent = await it.runtimeUp('lead')
  const { id } = await it.agent('child', { parentId: parent.id })
  await it.finishes(id)
  await it.clock.passUntil('it to hear', () => parent.agent.heard.length === 1)
  expect(parent.agent.heard[0]!.text).toMatch(/^\[BRIDGE_TRIGGER id=trg_\S+ reason=children\]\n/)
})

test('a runtime that was stopped is told when it is started again, once; meanwhile people know', async () => {
  const it = await startWaking(settings)
  const lead = await it.runtimeUp('lead')
  const children = [
    (await it.agent('before', { parentId: lead.id })).id,
    (await it.agent('meanwhile', { parentId: lead.id })).id,
  ] as const
  await it.finishes(children[0])
  const stopped = it.desk.runtimes.stop(await it.desk.runtimes.find(lead.name), 'ada')
  await it.agentExits(lead.id, { code: 0 })
  await stopped
  await it.finishes(children[1])
  await it.clock.pass(60_000)
  expect(await it.triggers(lead.id)).toEqual([])
  const events = await it.core.store.events(0, 1000)
  expect(events.filter(({ kind }) => kind === 'escalation')).toMatchObject([
    { taskId: children[1], data: { reason: expect.stringContaining('lead@project is stopped') } },
  ])

  const again = await it.runtimeUp('lead')
  await it.clock.passUntil('it to hear', () => again.agent.heard.length === 1)
  for (const id of children) expect(again.agent.heard[0]!.text).toContain(`${id}: completed`)
  await it.wakersStart()
  await it.clock.pass(60_000)
  expect(await it.triggers(lead.id)).toHaveLength(1)
})

test('a headless parent whose turn is over waits for its children, and goes on with the news', async () => {
  const it = await headlessFamily('one', 'two')
  const [one, two] = it.children as [TaskId, TaskId]
  await it.finishes(it.parent.id, 'started two')
  const waiting = await it.task(it.parent.id)
  expect(waiting).toMatchObject({ status: 'running', phase: 'waiting', for: { kind: 'children' } })
  expect(waiting.reason).toContain('waits for news of 2 sessions that it started')
  expect(await it.desk.look.closely(waiting)).toMatchObject({
    waits: { for: 'children', until: null },
    next: {
      kind: 'waiting',
      what: 'waits for the sessions that it started to end, then resumes its session',
    },
  })
  await it.finishes(one)
  await it.clock.pass(60_000)
  expect(await it.task(it.parent.id)).toMatchObject({ phase: 'waiting' })
  await it.finishes(two)
  await it.clock.passUntil('its next run', isLaunched(it))
  const [, run] = await it.core.store.runsOf(it.parent.id)
  expect(run).toMatchObject({ how: 'resume', told: expect.stringContaining('news of 2 sessions') })
  await it.agentStarts(it.parent.id)
  await it.finishes(it.parent.id, 'all done')
  await it.clock.pass(1000)
  expect(await it.task(it.parent.id)).toMatchObject({ status: 'completed' })
  expect(await it.core.store.runsOf(it.parent.id)).toHaveLength(2)
})

test('a headless parent is resumed for a child that needs somebody, and then waits on', async () => {
  const it = await headlessFamily('one')
  const [one] = it.children as [TaskId]
  await it.finishes(it.parent.id)
  await it.agentExits(one, { code: 127 })
  await it.clock.passUntil('its next run', isLaunched(it))
  const [, run] = await it.core.store.runsOf(it.parent.id)
  expect(run?.told).toContain(`${one}: needs_input`)
  await it.agentStarts(it.parent.id)
  await it.finishes(it.parent.id)
  await it.clock.pass(60_000)
  expect(await it.task(it.parent.id)).toMatchObject({ phase: 'waiting' })
  await killTask(one, { by: 'ada', reason: 'enough' }, it.core)
  await it.clock.passUntil(
    'its third run',
    async () => (await it.core.store.runsOf(it.parent.id)).length === 3,
  )
})

test('its children end while nobody listens: the next daemon resumes it, once', async () => {
  const it = await headlessFamily('one')
  await it.finishes(it.parent.id)
  await it.wakersDie()
  await it.finishes(it.children[0]!)
  await it.clock.pass(10_000)
  expect(await it.task(it.parent.id)).toMatchObject({ phase: 'waiting' })
  await it.wakersStart()
  await it.wakersStart()
  await it.clock.passUntil('its next run', isLaunched(it))
  await it.agentStarts(it.parent.id)
  await it.clock.pass(10_000)
  expect(await it.core.store.runsOf(it.parent.id)).toHaveLength(2)
})

test('one that waits for its children can be killed, finished or resumed by a person', async () => {
  const it = await headlessFamily('one')
  await it.finishes(it.parent.id, 'the result')
  await personDecides(it.parent.id, { choice: 'resume', by: 'ada' }, it.core)
  await it.clock.passUntil('its next run', isLaunched(it))
  await it.agentStarts(it.parent.id)
  await it.finishes(it.parent.id, 'the second result')
  expect(await it.task(it.parent.id)).toMatchObject({ phase: 'waiting' })
  const finishing = finishTask(await it.task(it.parent.id), 'ada', it.core)
  await it.clock.pass(5000)
  expect(await finishing).toBe(true)
  expect(await it.task(it.parent.id)).toMatchObject({ status: 'completed', reason: 'finished by ada' })
  expect(await it.core.handoff.result(await it.task(it.parent.id))).toContain('the second result')

  const other = await it.agent('other')
  await it.agent('its-child', { parentId: other.id })
  await it.finishes(other.id)
  await killTask(other.id, { by: 'ada', reason: 'enough' }, it.core)
  await settled()
  expect(await it.task(other.id)).toMatchObject({ status: 'cancelled' })
})

test('while it waits it holds no slot, and no time is counted', async () => {
  const it = await startWaking({ ...settings, maxConcurrent: 1 })
  const parent = await it.agent('parent', { maxDurationMs: 60_000 })
  const child = await it.agent('child', { parentId: parent.id })
  const queued = await it.creates('work', { name: 'queued' })
  expect(await it.task(queued)).toMatchObject({ phase: 'queued' })
  await it.finishes(parent.id)
  await it.clock.pass(3 * 60_000)
  expect(await it.task(parent.id)).toMatchObject({ phase: 'waiting', stop: null })
  await it.finishes(child.id)
  await it.clock.pass(1000)
  expect(await it.task(queued)).toMatchObject({ phase: 'starting' })
})

test('a headless parent whose child ended before its own turn did is told of it, too', async () => {
  const it = await headlessFamily('one')
  await it.finishes(it.children[0]!)
  await it.clock.pass(10_000)
  await it.finishes(it.parent.id)
  await it.clock.passUntil('its next run', isLaunched(it))
  const [, run] = await it.core.store.runsOf(it.parent.id)
  expect(run?.told).toContain(`${it.children[0]}: completed`)
})

test('children that end while nobody hears of it, a moment before their headless parent, are told to it', async () => {
  const it = await headlessFamily('one', 'two')
  const [one, two] = it.children as [TaskId, TaskId]
  await it.wakersDie()
  for (const child of [one, two]) await it.finishes(child)
  await it.finishes(it.parent.id)
  expect(await it.task(it.parent.id)).toMatchObject({ phase: 'waiting' })
  await it.wakersStart()
  await it.clock.passUntil('its next run', isLaunched(it))
  const [, run] = await it.core.store.runsOf(it.parent.id)
  expect(run?.told).toContain(`${one}: completed`)
  expect(run?.told).toContain(`${two}: completed`)
  expect(await it.core.store.parentsToTell()).toEqual([])
})

test('what a parent has seen by itself, because it waited, it is not told again', async () => {
  const it = await headlessFamily('one', 'two')
  const [one, two] = it.children as [TaskId, TaskId]
  await it.finishes(one)
  await it.desk.outbox.seenBy(it.parent.runId, [await it.task(one)])
  // Of this end it hears while nobody wakes parents.
  await it.wakersDie()
  await it.finishes(two)
  await it.desk.outbox.seenBy(it.parent.runId, [await it.task(two)])
  await it.wakersStart()
  await it.clock.pass(10_000)
  expect(await it.core.store.untoldChildren(it.parent.id)).toEqual([])
  await it.finishes(it.parent.id)
  await it.clock.pass(10_000)
  expect(await it.task(it.parent.id)).toMatchObject({ status: 'completed' })
  const events = await it.core.store.events(0, 1000)
  expect(events.filter(({ kind }) => kind === 'escalation')).toEqual([])
})

test('a headless parent is told when its child in a terminal has ended its turn, and does not wait for it any more', async () => {
  const it = await headlessFamily()
  const child = await it.atRest('child', { parentId: it.parent.id })
  await it.finishes(it.parent.id, 'started one')
  await it.clock.passUntil('its next run', isLaunched(it))
  const [, run] = await it.core.store.runsOf(it.parent.id)
  expect(run?.told).toContain(`${child.id}: its turn is over, and it waits for the next prompt`)
  await it.agentStarts(it.parent.id)
  await it.finishes(it.parent.id, 'all done')
  await it.clock.pass(10_000)
  expect(await it.task(it.parent.id)).toMatchObject({ status: 'completed' })
  expect(await it.task(child.id)).toMatchObject({ phase: 'idle' })
})

test('a child that was given more to do is waited for again, until that turn is over', async () => {
  const it = await headlessFamily()
  const child = await it.atRest('child', { parentId: it.parent.id })
  await it.finishes(it.parent.id)
  await it.clock.passUntil('its next run', isLaunched(it))
  await it.agentStarts(it.parent.id)
  await sendPrompt(await it.task(child.id), 'more', 'run of the parent', it.core)
  await it.finishes(it.parent.id)
  await it.clock.pass(60_000)
  expect(await it.task(it.parent.id)).toMatchObject({ phase: 'waiting' })
  expect(child.agent.heard).toHaveLength(2)
  child.agent.says('more is done')
  await it.clock.passUntil(
    'its third run',
    async () => (await it.core.store.runsOf(it.parent.id)).length === 3,
  )
})

test('a parent that stays after its own turns is not told of every turn of its child', async () => {
  const it = await terminalFamily()
  await it.atRest('child', { parentId: it.parent.id })
  await it.clock.pass(60_000)
  expect(await it.triggers(it.parent.id)).toEqual([])
  expect(await it.core.store.unboundFor(it.parent.id)).toEqual([])
})

test.each([
  ['in a terminal', terminalFamily, 'trigger_queued'],
  ['without one', headlessFamily, 'task_requeued'],
] as const)(
  'the event that wakes a parent %s names the end of its child as its cause',
  async (_, family, kind) => {
    const it = await family('one')
    await it.finishes(it.children[0]!)
    if (family === headlessFamily) await it.finishes(it.parent.id)
    const events = () => it.core.store.events(0, 1000)
    const wakes = async () =>
      (await events()).filter((one) => one.kind === kind && one.taskId === it.parent.id)
    await it.clock.passUntil('it to be woken', async () => (await wakes()).length > 0)
    const end = (await events()).find((one) => one.kind === 'task_completed' && one.taskId === it.children[0])
    expect(await wakes()).toMatchObject([
      { cause: { nodeId: end!.nodeId, seq: end!.seq }, depth: end!.depth + 1 },
    ])
  },
)
