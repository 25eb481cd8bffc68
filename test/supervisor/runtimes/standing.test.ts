// A runtime stands: however it ends, it comes back, over minutes that pass in a moment.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sendPrompt } from '../../../src/delivery/inputs/send-prompt.ts'
import type { Runtime } from '../../../src/domain/runtime/runtime.ts'
import type { Config } from '../../../src/domain/settings/config.ts'
import { runtimesDesk } from '../../../src/supervisor/desk/runtimes/runtimes.ts'
import { monitorDesk } from '../../../src/supervisor/desk/wait/monitor.ts'
import { answerTask } from '../../../src/supervisor/orders/answer-task.ts'
import { OrderBook } from '../../../src/supervisor/orders/order-book.ts'
import { stopRuntime } from '../../../src/supervisor/runtimes/end-runtime.ts'
import { reconcileRuntime } from '../../../src/supervisor/runtimes/reconcile-runtime.ts'
import { RuntimeKeeper } from '../../../src/supervisor/runtimes/runtime-keeper.ts'
import { removeWorkspace } from '../../../src/supervisor/starting/workspaces.ts'
import { MemoryAgent } from '../../helpers/memory-agent.ts'
import { readyRuntime, runtimeWorld, toldRuntime } from '../../helpers/runtime-in-time.ts'

const SECOND = 1000
const MINUTE = 60_000

test('a runtime starts in its window, without a prompt, and is ready when its interface is there', async () => {
  const { id, core, terminal, task, agent, runtime } = await readyRuntime()
  expect(terminal.specOf(id).place).toEqual({ session: 'agents_project', window: 'reviewer' })
  expect(await task(id)).toMatchObject({ phase: 'idle', runtime: 'reviewer@project', maxDurationMs: null })
  expect((await task(id)).snapshot).toMatchObject({ standing: true, recovery: { deadlineMs: null } })
  expect(await core.store.inputs(id)).toEqual([])
  expect(agent.heard).toEqual([])
  expect(await runtime()).toMatchObject({ state: 'ready', wanted: 'up', pid: process.pid, restarts: 0 })
})

test('no time limit ends it: neither that of its role nor that of `run`, and after the deadline it still comes back', async () => {
  const world = await runtimeWorld({ 'run.maxDuration': MINUTE, deadline: MINUTE })
  const { core, clock, task } = world
  writeRole(world.project, 'limits:\n  max_duration: 1m\n')
  const { taskId: id } = (await world.starts({ agent: undefined })).runtime
  const agent = await world.comesUp(id)
  await clock.passUntil('who it is', () => agent.heard.length === 1)
  await clock.pass(10 * MINUTE)
  expect(await task(id)).toMatchObject({ status: 'running', phase: 'working', stop: null })
  const { runId } = await task(id)
  await world.agentExits(id, { code: 1 })
  await world.isLaunchedAgain(id, runId, MINUTE)
  expect(await core.store.openQuestions(id)).toEqual([])
})

test('tokens that somebody limited end it: it has failed, says why, and stays down', async () => {
  const { id, core, clock, task, becomes, agentExits, runtime } = await readyRuntime({ maxTokens: 100 })
  const { run } = core.watched.get(id)!
  const used = { unknownLines: 0, tokensIn: 101, tokensOut: 0, costUsd: 0, outputLength: run.outputLength }
  const at = { fromOffset: run.eventsOffset, offset: run.eventsOffset }
  await core.commit({ reading: { taskId: id, runId: run.id, ...at, ...used, heard: [] } })
  const isEnded = async () => (await task(id)).stop?.kind === 'budget'
  await clock.passUntil('its end to be ordered', isEnded, MINUTE)
  await agentExits(id, { code: 143 })
  await becomes('failed', MINUTE)
  await clock.pass(MINUTE)
  expect(await runtime()).toMatchObject({ state: 'failed', reason: 'max_tokens of 100 exceeded: 101 used' })
})

test('the seed prompt is typed when it is ready', async () => {
  const { agent, clock } = await readyRuntime({}, { seed: 'You are the reviewer.' })
  await clock.passUntil('the seed', () => agent.heard.length === 1)
  expect(agent.heard.map(({ text }) => text)).toEqual(['You are the reviewer.'])
})

test.each([0, 1])(
  'exited with code %d, it comes back after the grace, in its session and told nothing',
  async (code) => {
    const { id, core, task, clock, agentExits, becomes, returns, hows } = await toldRuntime()
    const { runId, sessionId } = await task(id)
    const endedAt = clock.now()
    await agentExits(id, { code })
    await becomes('offline')
    expect(await task(id)).toMatchObject({ status: 'running', phase: 'backing_off' })
    const again = await returns(runId, MINUTE)
    expect(clock.now() - endedAt).toBeGreaterThanOrEqual(30 * SECOND)
    await becomes('ready')
    expect(await hows()).toEqual(['start', 'resume'])
    expect(sessionId).not.toBeNull()
    expect((await task(id)).sessionId).toBe(sessionId)
    expect((await core.store.runsOf(id)).at(-1)).toMatchObject({ number: 2, told: null })
    await clock.pass(MINUTE)
    expect(again.heard).toEqual([])
    expect((await core.store.openQuestions(id)).length).toBe(0)
  },
)

test('what a project sets for its runtimes counts: how soon one comes back, and how long it may take to come up', async () => {
  const world = await runtimeWorld()
  const ofProject = { 'runtime.grace': 7 * SECOND, 'runtime.startTimeout': 9 * SECOND }
  const { runtime } = await world.starts({}, ofProject)
  const { taskId: id } = runtime
  const { clock, task, agentExits, agentStarts, becomes, isLaunchedAgain } = world
  await world.comesUp(id)
  const { runId } = await task(id)
  const endedAt = clock.now()
  await agentExits(id, { code: 1 })
  await isLaunchedAgain(id, runId, MINUTE)
  expect(clock.now() - endedAt).toBeGreaterThanOrEqual(7 * SECOND)
  expect(clock.now() - endedAt).toBeLessThan(15 * SECOND)
  await agentStarts(id)
  await becomes('failed', 20 * SECOND)
  expect((await world.runtime()).reason).toBe('its agent shows no prompt after 9s')
  await expect(runtimesDesk(world.core).whenReady(runtime)).rejects.toMatchObject({
    code: 'RUNTIME_NOT_READY',
    message: 'Runtime reviewer@project is not ready: its agent shows no prompt after 9s.',
  })
})

test('whoever starts one waits for it for the time that it may take, and no longer', async () => {
  const world = await runtimeWorld({ 'runtime.startTimeout': 2 * SECOND })
  const { runtime } = await world.starts({}, { 'runtime.startTimeout': 9 * SECOND })
  const asked = world.clock.now()
  let refused: unknown
  const waiting = runtimesDesk(world.core)
    .whenReady(runtime)
    .catch((error) => {
      refused = error
    })
  await world.clock.passUntil('the answer', () => refused !== undefined, MINUTE)
  await waiting
  expect(refused).toMatchObject({ code: 'RUNTIME_NOT_READY', message: expect.stringContaining('after 9s') })
  expect(world.clock.now() - asked).toBeGreaterThanOrEqual(9 * SECOND)
  expect(world.clock.now() - asked).toBeLessThan(12 * SECOND)
})

test('when a prompt waits, the first restart comes before the grace of 30 s is over, and the prompt is typed once', async () => {
  const { id, core, task, clock, agentExits, becomes, isLaunchedAgain, comesUp } = await readyRuntime()
  const { runId } = await task(id)
  await agentExits(id, { code: 1 })
  await becomes('offline')
  await sendPrompt(await task(id), 'review this', 'ada', core)
  const endedAt = clock.now()
  await isLaunchedAgain(id, runId, MINUTE)
  expect(clock.now() - endedAt).toBeLessThan(5 * SECOND)
  const again = await comesUp(id)
  await clock.passUntil('the prompt', () => again.heard.length === 1)
  await clock.pass(MINUTE)
  expect(again.heard.map(({ text }) => text)).toEqual([expect.stringContaining('review this')])
})

/** Each time as soon as it is back, which is after its grace of 30 s. */
async function endsThreeTimes(settings: Partial<Config> = {}) {
  const world = await toldRuntime(settings)
  const { id, task, agentExits, returns, becomes } = world
  for (let ends = 1; ends <= 3; ends++) {
    const { runId } = await task(id)
    await agentExits(id, { code: 1 })
    await returns(runId, 2 * MINUTE)
    await becomes('ready')
  }
  return world
}

test('after the third end within 15 minutes a new session begins, and not before', async () => {
  const { id, task, hows } = await endsThreeTimes()
  expect((await task(id)).snapshot.recovery).toMatchObject({ loopDeaths: 3, loopWindowMs: 15 * MINUTE })
  expect(await hows()).toEqual(['start', 'resume', 'resume', 'with_context'])
})

test('three ends that do not fall within the window are no crash loop: each time it is resumed', async () => {
  const { hows } = await endsThreeTimes({ 'crashLoop.window': 50 * SECOND })
  expect(await hows()).toEqual(['start', 'resume', 'resume', 'resume'])
})

test('after five restarts in which it did not come up, it is left down and a person is asked', async () => {
  const { id, core, task, clock, agentExits, isLaunchedAgain, runtime, agentStarts } = await readyRuntime()
  for (let failed = 0; failed <= 5; failed++) {
    const { runId } = await task(id)
    await agentExits(id, { code: 1 })
    if (failed === 5) break
    await isLaunchedAgain(id, runId, 2 * MINUTE)
    await agentStarts(id)
  }
  await clock.passUntil('it to be given up', async () => (await runtime()).state === 'failed')
  expect(await task(id)).toMatchObject({ status: 'waiting_input', phase: 'stuck' })
  const [question] = await core.store.openQuestions(id)
  expect(question?.text).toContain('did not come up in 5 restarts')
  const told = await core.store.journalAfter(await core.store.journalStart(), 1000, { kinds: ['escalation'] })
  expect(told.events).toHaveLength(1)
  await clock.pass(10 * MINUTE)
  expect((await runtime()).state).toBe('failed')
})

test('it needs no slot to start, and holds none while it waits for prompts', async () => {
  const world = await runtimeWorld({ maxConcurrent: 1 })
  const { task, clock, creates, starts, comesUp } = world
  const busy = await creates('work', { mode: 'headless' })
  await world.agentStarts(busy)
  const { runtime } = await starts()
  await comesUp(runtime.taskId)
  const waits = await creates('more work', { mode: 'headless' })
  expect((await task(waits)).status).toBe('pending')
  await world.agentExits(busy, { code: 0 })
  await clock.passUntil('the next one', async () => (await task(waits)).status === 'running')
  expect((await task(runtime.taskId)).phase).toBe('idle')
})

test('during a turn it holds a slot, and gives it back when the turn is over', async () => {
  const { id, core, task, clock, agent, creates } = await readyRuntime({ maxConcurrent: 1 })
  await sendPrompt(await task(id), 'a turn', 'ada', core)
  await clock.passUntil('its turn', async () => (await task(id)).phase === 'working')
  const waits = await creates('work', { mode: 'headless' })
  await clock.pass(MINUTE)
  expect((await task(waits)).status).toBe('pending')
  agent.says('done')
  await clock.passUntil('its slot', async () => (await task(waits)).status === 'running', MINUTE)
  expect((await task(id)).phase).toBe('idle')
})

test('kill, finish, takeover, handback and archive are refused: only a stop ends it', async () => {
  const { id, core } = await readyRuntime()
  const book = new OrderBook(core)
  for (const kind of ['kill', 'finish', 'takeover', 'handback', 'archive'] as const) {
    const settled = await book.give({ taskId: id, kind, by: 'ada' })
    await expect(settled(), kind).rejects.toMatchObject({ code: 'RUNTIME_STANDS' })
  }
})

test('resume and retry of one that is up offer no kill; of a stopped one they are refused, and it stays stopped', async () => {
  const { id, core, task, agentExits, becomes, runtime } = await readyRuntime()
  const book = new OrderBook(core)
  const give = async (kind: 'resume' | 'retry') =>
    (await book.give({ taskId: id, kind, by: 'ada', env: {} }))()
  for (const kind of ['resume', 'retry'] as const)
    await expect(give(kind), kind).rejects.toMatchObject({
      code: 'TASK_ACTIVE',
      waysOut: [{ do: 'send', id }],
    })
  const stopping = stopRuntime(await runtime(), 'ada', core)
  await agentExits(id, { code: 0 })
  await stopping
  await becomes('offline')
  const runs = await core.store.runsOf(id)
  for (const kind of ['resume', 'retry'] as const)
    await expect(give(kind), kind).rejects.toMatchObject({
      code: 'RUNTIME_STANDS',
      message: 'reviewer@project is a runtime that is stopped: it is started as such.',
    })
  expect(await core.store.runsOf(id)).toEqual(runs)
  expect((await task(id)).status).toBe('cancelled')
})

test('it is monitored until it is idle, and not during a turn', async () => {
  const { id, core, clock, task } = await readyRuntime()
  const monitor = monitorDesk(core, new AbortController().signal)
  const ask = { any: false, until: 'rest', seen: undefined, waitMs: 0, cursor: null } as const
  const look = () => monitor.look({ ...ask, ids: ['reviewer@project'] })
  expect(await look()).toMatchObject({ isOver: true, tasks: [{ id, final: { state: 'completed' } }] })
  await sendPrompt(await task(id), 'a turn', 'ada', core)
  await clock.passUntil('its turn', async () => (await task(id)).phase === 'working')
  expect(await look()).toMatchObject({ isOver: false, tasks: [{ id, final: null }] })
})

test('its workspace cannot be removed', async () => {
  const { core } = await readyRuntime()
  await expect(removeWorkspace('project', 'ada', core)).rejects.toMatchObject({ code: 'WORKSPACE_IN_USE' })
})

test('a pane that a person killed is drift: told once, counted, and healed', async () => {
  const { id, core, task, clock, terminal, runtime, becomes } = await readyRuntime()
  terminal.killPane(id)
  await becomes('offline', MINUTE)
  await clock.pass(10 * SECOND)
  expect((await runtime()).drifts).toBe(1)
  const { events } = await core.store.journalAfter(await core.store.journalStart(), 1000, {
    kinds: ['registry_drift'],
  })
  expect(events).toMatchObject([{ taskId: id, data: { agent_id: 'reviewer@project' } }])
  expect((await task(id)).status).toBe('running')
})

test('what nobody tells of is found by the comparison every 5 seconds: a window that a person renamed has its name again', async () => {
  const { id, clock, terminal, runtime } = await readyRuntime()
  const windows = async () => (await terminal.panes()).map(({ window }) => window)
  terminal.renameWindow(id, 'mine')
  expect(await windows()).toEqual(['mine'])
  await clock.pass(5 * SECOND + 100)
  expect(await windows()).toEqual(['reviewer'])
  expect((await runtime()).drifts).toBe(1)
})

test('somebody at its pane is seen, and no more when they have left the keys alone', async () => {
  const { id, clock, terminal, runtime } = await readyRuntime()
  terminal.personTypes(id)
  await clock.passUntil('it to be noticed', async () => (await runtime()).operatorBusy === 1, MINUTE)
  await clock.passUntil('quiet', async () => (await runtime()).operatorBusy === 0, MINUTE)
})

test('two starts at once make one runtime', async () => {
  const { core, starts } = await runtimeWorld()
  const both = await Promise.all([starts(), starts()])
  expect(both.map(({ how }) => how).sort()).toEqual(['already_up', 'registered'])
  expect(await core.store.runtimes()).toHaveLength(1)
})

test('started again with its key, it is told what was done then: nothing is started, and its seed is said once', async () => {
  const keyed = (key: string) => ({ key: { createdBy: 'ada', route: 'r', key, digest: 'd' } })
  const { id, core, clock, runtime, starts, agentExits, becomes, comesUp } = await readyRuntime(
    {},
    keyed('k1'),
  )
  const how = async (key: string, seed?: string) => (await starts({ ...keyed(key), seed })).how
  expect([await how('k1'), await how('k2')]).toEqual(['registered', 'already_up'])
  let isStopped = false
  const stopping = stopRuntime(await runtime(), 'ada', core).then(() => {
    isStopped = true
  })
  await agentExits(id, { code: 0 })
  // Its end may be seen before the order, which then waits for its time.
  await clock.passUntil('it to be stopped', () => isStopped)
  await stopping
  await becomes('offline')
  expect([await how('k1'), await how('k2')]).toEqual(['registered', 'already_up'])
  expect(await runtime()).toMatchObject({ state: 'offline', wanted: 'stopped' })
  expect(await how('k3', 'hello')).toBe('brought_back')
  const agent = await comesUp(id)
  expect(await how('k3', 'hello')).toBe('brought_back')
  await clock.passUntil('the seed', () => agent.heard.length > 0)
  await clock.pass(MINUTE)
  expect(agent.heard.map(({ text }) => text)).toEqual(['hello'])
  const other = { key: { ...keyed('k3').key, digest: 'other' } }
  await expect(starts(other)).rejects.toMatchObject({ code: 'KEY_REUSED' })
})

test('a role without a file needs an agent', async () => {
  const { core, starts } = await runtimeWorld()
  await expect(starts({ agent: undefined })).rejects.toMatchObject({ code: 'ROLE_NOT_FOUND' })
  await expect(starts({ role: 'bootstrap' })).rejects.toMatchObject({ code: 'INVALID_NAME' })
  expect(await core.store.runtimes()).toEqual([])
})

/** The file of the role `reviewer`; returns its directory. */
function writeRole(project: string, more = ''): string {
  const dir = join(project, 'agents/reviewer')
  mkdirSync(dir, { recursive: true })
  const text = `---\ndescription: reviews\nagent: scripted\n${more}---\nYou review.\n`
  writeFileSync(join(dir, 'reviewer-agent.md'), text)
  return dir
}

test('a role file that vanished does not keep its runtime from coming back', async () => {
  const world = await runtimeWorld()
  const dir = writeRole(world.project)
  const { runtime } = await world.starts({ agent: undefined })
  const id = runtime.taskId
  const agent = await world.comesUp(id)
  await world.clock.passUntil('who it is', () => agent.heard.length === 1)
  expect(agent.heard[0]?.text).toContain('You review.')
  agent.says('understood')
  rmSync(dir, { recursive: true })
  const { runId } = await world.task(id)
  await world.agentExits(id, { code: 1 })
  await world.isLaunchedAgain(id, runId, MINUTE)
  await world.comesUp(id)
  expect((await world.task(id)).role).toBe('reviewer')
})

test('a directory that is gone under a runtime is said, and a person is asked', async () => {
  const { id, core, project, clock, task, agentExits, runtime } = await readyRuntime()
  rmSync(project, { recursive: true })
  await agentExits(id, { code: 1 })
  await clock.passUntil('the question', async () => (await task(id)).status === 'waiting_input', 5 * MINUTE)
  expect((await core.store.openQuestions(id))[0]?.text).toContain('There is no directory')
  await clock.passUntil('it to be failed', async () => (await runtime()).state === 'failed', MINUTE)
  expect((await runtime()).reason).toContain('There is no directory')
})

test('an interface that does not show in time is failed, and ready when it does', async () => {
  const world = await runtimeWorld()
  const { runtime: started } = await world.starts()
  await world.agentStarts(started.taskId)
  await world.becomes('failed', 2 * MINUTE)
  expect((await world.runtime()).reason).toBe('its agent shows no prompt after 1m')
  new MemoryAgent(world, started.taskId)
  await world.becomes('ready', MINUTE)
})

test('an agent that is still stuck after it was resumed has failed, says why and what is asked, and is ready when a person has it resumed', async () => {
  const world = await toldRuntime({ 'stuck.after': MINUTE, 'stuck.quiet': MINUTE })
  const { id, core, task, clock, runtime, becomes, agentExits, returns } = world
  world.agentsRest()
  await sendPrompt(await task(id), 'review this', 'ada', core)
  const { runId } = await task(id)
  await clock.passUntil('it to be ended', async () => (await task(id)).restart !== null, 5 * MINUTE)
  expect(await runtime()).toMatchObject({ state: 'ready' })
  await agentExits(id, { code: 1 })
  await returns(runId, 2 * MINUTE)
  await clock.passUntil(
    'a person to be asked',
    async () => (await task(id)).status === 'waiting_input',
    10 * MINUTE,
  )
  await becomes('failed')
  expect(await runtime()).toMatchObject({ reason: 'stuck: no sign of life for 1m', pid: process.pid })
  const [seen] = await runtimesDesk(core).list()
  expect(seen?.question).toContain('still stuck (no sign of life for 1m)')
  const { runId: stuck } = await task(id)
  await answerTask(await task(id), { choice: 'resume', number: undefined, by: 'ada' }, core)
  await agentExits(id, { code: 1 })
  await returns(stuck, MINUTE)
  await becomes('ready', MINUTE)
  expect((await runtimesDesk(core).list())[0]?.question).toBeNull()
})

test('a runtime that a person closes by an answer is stopped', async () => {
  const { id, core, project, clock, task, agentExits, runtime } = await readyRuntime()
  rmSync(project, { recursive: true })
  await agentExits(id, { code: 1 })
  await clock.passUntil('the question', async () => (await task(id)).status === 'waiting_input', 5 * MINUTE)
  await answerTask(await task(id), { choice: 'close', number: undefined, by: 'ada' }, core)
  await clock.passUntil('it to be stopped', async () => (await runtime()).wanted === 'stopped', MINUTE)
  expect(await runtime()).toMatchObject({ state: 'offline', pid: null })
})

test('a runtime that was to be stopped when the daemon died is stopped by the next one', async () => {
  const { id, core, clock, task, runtime } = await readyRuntime()
  await core.commit({ noteRuntime: { id: (await runtime()).id, set: { wanted: 'stopped' } } })
  await clock.passUntil('the order', async () => (await task(id)).stop !== null, MINUTE)
  expect((await task(id)).stop).toMatchObject({ kind: 'kill', by: 'holdfast' })
})

test('a restart of one that failed waits for the next run, and does not answer with what the last one came to', async () => {
  const world = await runtimeWorld()
  const { clock, task, agentStarts, agentExits, isLaunchedAgain, becomes } = world
  const { runtime } = await world.starts()
  const { taskId: id } = runtime
  await agentStarts(id)
  await becomes('failed', 2 * MINUTE)
  const { runId } = await task(id)
  const desk = runtimesDesk(world.core)
  const answers: string[] = []
  const restarting = desk
    .restart(await world.runtime(), 'ada')
    .then(() => desk.whenReady(runtime))
    .then(
      () => answers.push('ready'),
      (error) => answers.push(String(error)),
    )
  await clock.passUntil('the order', async () => (await task(id)).restart !== null)
  await agentExits(id, { code: 1 })
  await isLaunchedAgain(id, runId, MINUTE)
  expect(answers).toEqual([])
  await world.comesUp(id)
  await clock.passUntil('the answer', () => answers.length > 0)
  await restarting
  expect(answers).toEqual(['ready'])
})

test('how it came to fail is in the audit', async () => {
  const world = await runtimeWorld()
  const { runtime } = await world.starts()
  await world.agentStarts(runtime.taskId)
  await world.becomes('failed', 2 * MINUTE)
  expect(await world.core.store.audits({ kind: 'runtime_restart_failed' })).toMatchObject([
    { taskId: runtime.taskId, detail: expect.stringContaining('shows no prompt') },
  ])
})

test('its state follows a trigger: typed, submitted, and ready again when its turn is over', async () => {
  const { id, core, clock, task, agent, runtime, becomes } = await readyRuntime()
  await sendPrompt(await task(id), 'review this', 'ada', core)
  await clock.passUntil('the prompt', () => agent.heard.length === 1)
  agent.says('reviewed')
  await clock.passUntil('it to be idle', async () => (await task(id)).phase === 'idle', MINUTE)
  await becomes('ready', MINUTE)
  const events = (await core.store.runtimeTransitions((await runtime()).id, 50)).map(({ event }) => event)
  expect(events.slice(0, 3)).toEqual(['register_runtime', 'agent_detected', 'trigger_runtime'])
  expect(events.at(-1)).toBe('ack_waived')
  expect((await runtime()).lastTriggerId).toMatch(/^trg_/)
  const { events: told } = await core.store.journalAfter(await core.store.journalStart(), 1000, {
    kinds: ['trigger_typed'],
  })
  expect(told).toMatchObject([{ data: { agent_id: 'reviewer@project' } }])
})

test('a runtime whose turn began is ready again when nobody acknowledged for 14 s, while its turn goes on', async () => {
  const { id, core, clock, task, agent, runtime, becomes } = await readyRuntime()
  const { triggerId } = await sendPrompt(await task(id), 'review this', 'ada', core)
  await becomes('awaiting_ack', MINUTE)
  const isUnconfirmed = async () => (await core.store.trigger(triggerId))?.state === 'unconfirmed'
  await clock.passUntil('nobody to know', isUnconfirmed, MINUTE)
  await becomes('ready', 100)
  expect(await task(id)).toMatchObject({ phase: 'working', restart: null })
  const moves = await core.store.runtimeTransitions((await runtime()).id, 50)
  expect(moves.slice(2).map(({ event, to }) => [event, to])).toEqual([
    ['trigger_runtime', 'triggering'],
    ['send_keys_ok', 'awaiting_ack'],
    ['ack_timeout', 'retrying'],
    ['ack_waived', 'ready'],
  ])
  agent.prints(`ACK_TRIGGER:${triggerId}`)
  const isAcknowledged = async () => (await core.store.trigger(triggerId))?.state === 'acknowledged'
  await clock.passUntil('its acknowledgement', isAcknowledged)
})

test('a prompt that is sent while another one awaits its acknowledgement withdraws nothing', async () => {
  const { id, core, clock, task, agent, runtime, becomes } = await readyRuntime()
  const first = await sendPrompt(await task(id), 'review this', 'ada', core)
  await becomes('awaiting_ack', MINUTE)
  await sendPrompt(await task(id), 'and that', 'bob', core)
  await clock.pass(100)
  expect(await runtime()).toMatchObject({ state: 'awaiting_ack', lastTriggerId: first.triggerId })
  agent.says('reviewed')
  await clock.passUntil('the next prompt', () => agent.heard.length === 2, MINUTE)
  const moves = await core.store.runtimeTransitions((await runtime()).id, 50)
  expect(moves.map(({ event }) => event)).not.toContain('trigger_withdrawn')
})

test('the session of a workspace is closed with its last runtime, not before; a daemon that died then leaves it to the next', async () => {
  const { core, terminal, clock, runtime, starts, comesUp, agentStarts } = await runtimeWorld()
  const reviewer = (await starts()).runtime
  await comesUp(reviewer.taskId)
  const tester = (await starts({ role: 'tester' })).runtime
  await agentStarts(tester.taskId)
  const stopped = async (one: Runtime) => {
    await core.commit({
      noteRuntime: { id: one.id, set: { wanted: 'stopped' } },
      dropRuntime: { id: one.id, at: clock.now() },
    })
    terminal.killPane(one.taskId)
    await clock.pass(10 * SECOND)
  }
  await stopped(await runtime('tester@project'))
  expect([...terminal.sessions]).toEqual(['agents_project'])
  await stopped(await runtime())
  expect([...terminal.sessions]).toEqual([])

  terminal.sessions.add('agents_left')
  await new RuntimeKeeper(core).reconcile()
  expect([...terminal.sessions]).toEqual([])
})

test('a runtime whose task somebody took out of the store is forgotten, and told as drift', async () => {
  const { core, runtime } = await readyRuntime()
  const store: typeof core.store = Object.create(core.store, { task: { value: async () => undefined } })
  const blind = Object.create(core, { store: { value: store }, watched: { value: new Map() } })
  await reconcileRuntime(await runtime(), [], blind)
  expect(await core.store.runtimes()).toEqual([])
  expect(await core.store.audits({ kind: 'registry_drift' })).toMatchObject([
    { detail: 'reviewer@project: its task is not in the store' },
  ])
})
