// A prompt that a runtime does not take: its agent is resumed with it, then a new session begins, and then it has failed.
import { expect, test } from 'vitest'
import { type SendAs, sendPrompt } from '../../../src/delivery/inputs/send-prompt.ts'
import type { AuditKind } from '../../../src/domain/names/audit-kinds.ts'
import type { TriggerId } from '../../../src/domain/names/ids.ts'
import type { Config } from '../../../src/domain/settings/config.ts'
import { threadIdOf } from '../../../src/domain/thread/thread-id.ts'
import { triggersDesk } from '../../../src/supervisor/desk/messages/triggers.ts'
import { answerTask } from '../../../src/supervisor/orders/answer-task.ts'
import { heartbeat } from '../../../src/supervisor/orders/heartbeat.ts'
import { toldRuntime } from '../../helpers/runtime-in-time.ts'

const MINUTE = 60_000
const THREAD = threadIdOf('01890a5d-ac96-774b-bcce-b302099a8057')

/** Ready, and told something before: its screen shows a last prompt. */
async function toldBefore(settings: Partial<Config> = {}) {
  const world = await toldRuntime({ 'trigger.ackRetries': 0, ...settings })
  const { core, clock, task, id } = world
  const sends = async (text: string, as: SendAs = {}) =>
    (await sendPrompt(await task(id), text, 'ada', core, as)).triggerId
  const story = async (one: TriggerId) =>
    (await core.store.triggerSteps(one)).map(({ event, code }) =>
      code === null ? event : `${event} ${code}`,
    )
  const until = (one: TriggerId, state: string, withinMs = 5 * MINUTE) =>
    clock.passUntil(state, async () => (await core.store.trigger(one))?.state === state, withinMs)
  /** Its run is ended, as was ordered, and the next one is there. */
  const isReplaced = async (swallows = false) => {
    const { runId } = await task(id)
    await clock.passUntil('the order', async () => (await task(id)).restart !== null, 5 * MINUTE)
    await world.agentExits(id, { code: 1 })
    const next = await world.returns(runId, MINUTE)
    next.swallowsEnter = swallows
    await clock.passUntil('its interface', async () => (await task(id)).phase !== 'starting', MINUTE)
    return next
  }
  const audited = async (kind: AuditKind) => (await core.store.audits({ kind })).length
  return { ...world, sends, story, until, isReplaced, audited }
}

test('from ACK_TIMEOUT it is resumed with the same trigger, which it then gets once', async () => {
  const { id, core, agent, sends, story, isReplaced, clock, hows, audited, task, runtime } =
    await toldBefore()
  agent.swallowsEnter = true
  const one = await sends('review this')
  const next = await isReplaced()
  await clock.passUntil('the prompt', () => next.heard.length === 1, MINUTE)
  await clock.pass(MINUTE)
  expect(next.heard.map(({ text }) => text)).toEqual([expect.stringContaining(`id=${one}`)])
  expect(next.heard[0]?.text).toContain('review this')
  expect(await hows()).toEqual(['start', 'resume'])
  expect(await story(one)).toEqual(expect.arrayContaining(['fell_back ACK_TIMEOUT', 'typed', 'submitted']))
  expect(await audited('fallback_resume_started')).toBe(1)
  expect(await audited('fallback_resume_succeeded')).toBe(1)
  const { agentId } = await runtime()
  const rows = await core.store.audits({ kind: 'fallback_resume_succeeded' })
  expect(rows[0]?.detail).toBe(`trigger_id=${one} agent_id=${agentId} thread_id=- result=submitted`)
  expect((await task(id)).retries).toBe(0)
})

test('after two resumes in vain a new session begins with the summary of the thread, and then the trigger comes', async () => {
  const { core, agent, sends, story, isReplaced, clock, hows, runtime, audited } = await toldBefore()
  const at = clock.now()
  const draft = { id: THREAD, title: 'release', workspaceId: null, createdBy: 'person:ada', createdAt: at }
  await core.commit({ createThread: { ...draft, key: null, members: ['person:ada'] } })
  const post = { threadId: THREAD, author: 'person:ada', kind: 'finding', refs: [], at, key: null } as const
  const limits = { maxTurns: 20, maxIdenticalFindings: 3 }
  await core.commit({ post: { ...post, text: 'the login is broken', limits } })
  agent.swallowsEnter = true
  const one = await sends('review this', { thread: THREAD })
  for (let resumed = 0; resumed < 2; resumed++) await isReplaced(true)
  const anew = await isReplaced()
  await clock.passUntil('the summary', () => anew.heard.length === 1, MINUTE)
  expect(anew.heard[0]?.text).toContain('| #1 person:ada (finding)\n| the login is broken')
  anew.says('read')
  await clock.passUntil('the prompt', () => anew.heard.length === 2, MINUTE)
  expect(anew.heard[1]?.text).toContain(`id=${one} thread=${THREAD}`)
  const runs = await hows()
  expect(runs.slice(0, 3)).toEqual(['start', 'resume', 'resume'])
  expect(runs[3]).not.toBe('resume')
  expect((await story(one)).filter((word) => word.startsWith('fell_back'))).toEqual([
    'fell_back ACK_TIMEOUT',
    'fell_back ACK_TIMEOUT',
    'fell_back RESUME_FAILED',
  ])
  expect(await audited('fallback_resume_started')).toBe(2)
  expect(await audited('fallback_resume_succeeded')).toBe(0)
  expect(await audited('fallback_spawn_started')).toBe(1)
  await clock.passUntil(
    'it to have it',
    async () => (await audited('fallback_spawn_succeeded')) === 1,
    MINUTE,
  )
  const moves = (await core.store.runtimeTransitions((await runtime()).id, 100)).map(({ event }) => event)
  expect(moves).toEqual(
    expect.arrayContaining(['ack_timeout_exhausted', 'resume_failed', 'spawn_new_runtime']),
  )
})

test('a new session that does not take it either makes it fail, and nobody is ended for it any more', async () => {
  const { id, core, agent, sends, until, isReplaced, clock, task, hows } = await toldBefore()
  agent.swallowsEnter = true
  const one = await sends('review this')
  for (let replaced = 0; replaced < 3; replaced++) {
    const next = await isReplaced(replaced < 2)
    if (replaced < 2) continue
    await clock.passUntil('who it is', () => next.heard.length === 1, MINUTE)
    next.swallowsEnter = true
    next.says('understood')
  }
  await until(one, 'failed')
  expect(await core.store.trigger(one)).toMatchObject({ code: 'SPAWN_FAILED' })
  await clock.pass(5 * MINUTE)
  expect((await task(id)).restart).toBeNull()
  expect(await hows()).toHaveLength(4)
})

test('a session that has said nothing for too long is not resumed for a prompt: a new one begins', async () => {
  const { agent, sends, isReplaced, clock, hows, audited } = await toldBefore({
    'runtime.staleAfter': 2 * MINUTE,
  })
  await clock.pass(3 * MINUTE)
  agent.swallowsEnter = true
  await sends('review this')
  await isReplaced()
  expect(await hows()).toEqual(['start', expect.not.stringMatching('resume')])
  expect([await audited('fallback_resume_started'), await audited('fallback_spawn_started')]).toEqual([0, 1])
})

test.each([
  [2, 'with_context'],
  [1, 'resume'],
])(
  'when it ended %d times within 15 minutes, and now for a prompt that it did not take, it goes on by: %s',
  async (ends, how) => {
    const { id, task, agentExits, returns, becomes, sends, isReplaced, hows, agent } = await toldBefore()
    let last = agent
    for (let ended = 0; ended < ends; ended++) {
      const { runId } = await task(id)
      await agentExits(id, { code: 1 })
      last = await returns(runId, 2 * MINUTE)
      await becomes('ready', MINUTE)
    }
    last.swallowsEnter = true
    await sends('review this')
    await isReplaced()
    expect((await hows()).at(-1)).toBe(how)
  },
)

test('a heartbeat is a word: with one in that time, the session is resumed', async () => {
  const { id, core, agent, sends, isReplaced, clock, hows, task } = await toldBefore({
    'runtime.staleAfter': 2 * MINUTE,
  })
  await clock.pass(1.5 * MINUTE)
  const run = (await task(id)).runId!
  await heartbeat(await task(id), { kind: 'run', run, name: 'reviewer' }, 'idle', core)
  await clock.pass(1.5 * MINUTE)
  agent.swallowsEnter = true
  await sends('review this')
  await isReplaced()
  expect(await hows()).toEqual(['start', 'resume'])
})

test('a run that is killed with the prompt half typed is resumed, and gets it once', async () => {
  const { id, terminal, sends, story, clock, task, agentExits, isLaunchedAgain, comesUp, hows } =
    await toldBefore()
  const { runId } = await task(id)
  const { press } = terminal
  // Killed between the paste and Enter.
  terminal.press = async () => 'refused'
  const one = await sends('review this')
  await clock.passUntil('the paste', () => terminal.typed(id).at(-1)?.startsWith('paste') === true, MINUTE)
  await agentExits(id, { code: 137 })
  terminal.press = press
  await isLaunchedAgain(id, runId, MINUTE)
  const next = await comesUp(id)
  await clock.passUntil('the prompt', () => next.heard.length === 1, MINUTE)
  await clock.pass(MINUTE)
  expect(next.heard).toHaveLength(1)
  expect(await hows()).toEqual(['start', 'resume'])
  expect(await story(one)).toEqual(['queued', 'fell_back PANE_DEAD', 'typed', 'submitted', ...LATE])
})
const LATE = ['unconfirmed ACK_TIMEOUT']

test('a prompt is acknowledged by the run that resumed the one which has it, not by a run from before', async () => {
  const { id, core, task, agentExits, returns, becomes, sends, until, hows, clock } = await toldBefore()
  const endsAndReturns = async () => {
    const { runId } = await task(id)
    await agentExits(id, { code: 1 })
    const next = await returns(runId, 2 * MINUTE)
    await becomes('ready', MINUTE)
    return next
  }
  const older = (await task(id)).runId!
  const agent = await endsAndReturns()
  const one = await sends('review this')
  await until(one, 'submitted')
  await clock.passUntil('its turn', () => agent.heard.length === 1)
  const given = (await task(id)).runId!
  await endsAndReturns()
  const resumed = (await task(id)).runId!
  expect(await hows()).toEqual(['start', 'resume', 'resume'])
  expect(await core.store.trigger(one)).toMatchObject({ runId: given, ackBy: null })
  const acknowledges = (run: typeof older) =>
    triggersDesk(core).acknowledge(one, { kind: 'run', run, name: 'reviewer' })
  await expect(acknowledges(older)).rejects.toMatchObject({ code: 'ACK_REFUSED' })
  expect(await acknowledges(resumed)).toMatchObject({ state: 'acknowledged', ackBy: 'ack_trigger' })
})

test('while a runtime does not come up, what waits for it says so, and comes when a person has it resumed', async () => {
  const { id, core, task, clock, agentExits, isLaunchedAgain, agentStarts, comesUp, sends, until, story } =
    await toldBefore()
  let one: TriggerId | undefined
  for (let failed = 0; failed <= 5; failed++) {
    const { runId } = await task(id)
    await agentExits(id, { code: 1 })
    one ??= await sends('review this')
    if (failed === 5) break
    await isLaunchedAgain(id, runId, 2 * MINUTE)
    await agentStarts(id)
  }
  if (one === undefined) throw new Error('nothing was sent')
  await until(one, 'deferred')
  expect(await core.store.trigger(one)).toMatchObject({ code: 'SPAWN_FAILED' })
  expect((await story(one)).at(-1)).toBe('deferred SPAWN_FAILED')
  const { runId } = await task(id)
  await answerTask(await task(id), { choice: 'resume', number: undefined, by: 'ada' }, core)
  await isLaunchedAgain(id, runId, MINUTE)
  const agent = await comesUp(id)
  const hears = (words: string) => () => agent.heard.at(-1)?.text.includes(words) === true
  await clock.passUntil('who it is', hears('You review.'), MINUTE)
  agent.says('understood')
  await clock.passUntil('the prompt', hears('review this'), MINUTE)
})

test('a pane that somebody killed is the reason which the waiting prompt gives', async () => {
  const { id, terminal, task, becomes, sends, story, until, agentExits } = await toldBefore()
  terminal.personTypes(id)
  const one = await sends('review this')
  await until(one, 'deferred')
  terminal.killPane(id)
  await becomes('offline', MINUTE)
  const { runId } = await task(id)
  await agentExits(id, { code: 129 })
  await until(one, 'fallen_back', 2 * MINUTE)
  expect(runId).not.toBeNull()
  expect(await story(one)).toEqual(['queued', 'deferred OPERATOR_BUSY', 'fell_back REGISTRY_DRIFT'])
})
