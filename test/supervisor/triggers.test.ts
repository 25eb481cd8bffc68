// Prompts on their way to an agent in its terminal, over seconds and minutes that pass in a moment.
import { expect, test } from 'vitest'
import { type SendAs, sendPrompt } from '../../src/delivery/inputs/send-prompt.ts'
import type { TriggerId } from '../../src/domain/names/ids.ts'
import type { Config } from '../../src/domain/settings/config.ts'
import { heartbeat } from '../../src/supervisor/orders/heartbeat.ts'
import { unavailable } from '../../src/tmux/link/unavailable.ts'
import { startCoreInTime } from '../helpers/core-in-time.ts'
import { MemoryAgent } from '../helpers/memory-agent.ts'

const SECOND = 1000
const THREAD: SendAs = { thread: 'th_01JXYZ', reason: 'unread' }

/** An agent in its terminal, idle after its first turn. */
async function atRest(settings: Partial<Config> = {}) {
  const world = await startCoreInTime(settings)
  const { core, clock, task } = world
  const id = await world.creates('first', { mode: 'interactive' })
  const agent = new MemoryAgent(world, id)
  await world.agentStarts(id)
  await clock.passUntil('its first prompt', () => agent.heard.length === 1)
  agent.says('done')
  await clock.passUntil('it to be idle', async () => (await task(id)).phase === 'idle')
  const sends = async (text: string, as: SendAs = {}) =>
    (await sendPrompt(await task(id), text, 'ann', core, as)).triggerId
  const trigger = async (one: TriggerId) => (await core.store.trigger(one))!
  const untilState = (one: TriggerId, state: string, withinMs = 120 * SECOND) =>
    clock.passUntil(state, async () => (await trigger(one)).state === state, withinMs)
  const story = async (one: TriggerId) =>
    (await core.store.triggerSteps(one)).map(({ event, code }) =>
      code === null ? event : `${event} ${code}`,
    )
  return { ...world, id, agent, sends, trigger, untilState, story }
}

test('keys of a person defer it, and it is typed once nobody types', async () => {
  const { id, terminal, clock, agent, sends, trigger, untilState, story } = await atRest()
  terminal.personTypes(id)
  const one = await sends('second')
  await untilState(one, 'deferred')
  expect(await trigger(one)).toMatchObject({ code: 'OPERATOR_BUSY' })
  await clock.pass(10 * SECOND)
  expect(agent.heard).toHaveLength(1)
  await untilState(one, 'submitted')
  expect(await story(one)).toEqual(['queued', 'deferred OPERATOR_BUSY', 'typed', 'submitted'])
})

test('when the screen could not be read meanwhile and shows nothing new, it is typed within one re-check of the quiet window’s end', async () => {
  const { id, terminal, clock, agent, sends, untilState } = await atRest()
  const look = terminal.look.bind(terminal)
  terminal.personTypes(id)
  const leftAt = clock.now()
  const one = await sends('second')
  await untilState(one, 'deferred')
  let unread = 0
  // Whoever looks in vain does not look again by itself: only a re-check does.
  terminal.look = async (...which) => {
    if (unread > 0 || clock.now() < leftAt + 16 * SECOND) return look(...which)
    unread++
    return undefined
  }
  await untilState(one, 'submitted')
  const waited = (agent.heard.at(-1)?.at ?? 0) - leftAt
  expect([unread, agent.heard.length]).toEqual([1, 2])
  expect(waited).toBeGreaterThanOrEqual(20 * SECOND)
  expect(waited).toBeLessThanOrEqual(26 * SECOND)
})

test('a session that ends with it still waiting is no target any more: it has failed, and says so', async () => {
  const { id, terminal, core, clock, task, agentExits, agent, sends, trigger, untilState, story } =
    await atRest({
      retries: 0,
    })
  terminal.personTypes(id)
  const one = await sends('second', THREAD)
  await untilState(one, 'deferred')
  await agentExits(id, { code: 1 })
  await untilState(one, 'failed')
  expect((await task(id)).status).toBe('failed')
  await clock.passUntil('it to be tidied up', async () => (await core.store.untidied()).length === 0)
  expect(await trigger(one)).toMatchObject({ code: 'TARGET_NOT_FOUND' })
  expect(await story(one)).toEqual(['queued', 'deferred OPERATOR_BUSY', 'failed TARGET_NOT_FOUND'])
  expect(await core.store.audits({ kind: 'trigger_failed' })).toMatchObject([
    { detail: `trigger_id=${one} agent_id=- thread_id=th_01JXYZ result=failed (TARGET_NOT_FOUND)` },
  ])
  expect(agent.heard).toHaveLength(1)
})

test('a person who types on for a minute makes its time run out once, and it still waits', async () => {
  const { id, terminal, clock, task, agent, sends, story } = await atRest()
  terminal.personTypes(id)
  const one = await sends('second', THREAD)
  for (let second = 0; second < 90; second += 5) {
    await clock.pass(5 * SECOND)
    terminal.personTypes(id)
  }
  expect(await story(one)).toEqual(['queued', 'deferred OPERATOR_BUSY', 'deferred DEFER_TIMEOUT'])
  expect(agent.heard).toHaveLength(1)
  expect((await task(id)).restart).toBeNull()
})

test('forced, it does not wait for the quiet window; a person’s unsent text keeps it all the same', async () => {
  const { id, core, terminal, clock, agent, sends, trigger, untilState } = await atRest()
  terminal.personTypes(id)
  const one = await sends('second', { force: { operator: 'ann', why: 'release' } })
  await untilState(one, 'submitted', 5 * SECOND)
  expect(await core.store.audits({ kind: 'trigger_forced' })).toMatchObject([{ actor: 'ann' }])
  agent.says('done')
  await untilState(one, 'done')
  agent.personDrafts('half a thought')
  const two = await sends('third', { force: { operator: 'bob', why: 'release' } })
  await clock.pass(30 * SECOND)
  expect(await trigger(two)).toMatchObject({ state: 'deferred', code: 'OPERATOR_BUSY', forcedBy: 'bob' })
  expect(agent.heard.map(({ text }) => text)).toEqual(['first', 'second'])
})

test('the first of two who force the same trigger counts', async () => {
  const { id, terminal, sends, trigger, untilState } = await atRest()
  terminal.personTypes(id)
  const one = await sends('second', { key: 'k' })
  await untilState(one, 'deferred')
  for (const operator of ['ann', 'bob'])
    expect(await sends('second', { key: 'k', force: { operator, why: operator } })).toBe(one)
  expect(await trigger(one)).toMatchObject({ forcedBy: 'ann', forcedWhy: 'ann' })
  await untilState(one, 'submitted', 5 * SECOND)
})

test('a living agent at its turn is not ended for want of an acknowledgement, and may give it later', async () => {
  const { id, clock, task, agent, sends, trigger, untilState, story } = await atRest()
  const one = await sends('second', THREAD)
  await untilState(one, 'submitted')
  const since = (await trigger(one)).stateAt!
  await untilState(one, 'unconfirmed')
  expect(Math.round((clock.now() - since) / SECOND)).toBe(14)
  expect(await story(one)).toEqual([
    ...['queued', 'typed', 'submitted', 'ack_late', 'ack_late'],
    'unconfirmed ACK_TIMEOUT',
  ])
  await clock.pass(60 * SECOND)
  expect((await task(id)).restart).toBeNull()
  agent.prints(`ACK_TRIGGER:${one}`)
  await untilState(one, 'acknowledged')
  expect(await trigger(one)).toMatchObject({ ackBy: 'marker' })
  agent.says('done')
  await untilState(one, 'done')
})

test('an agent that prints the marker and ends its turn between two looks has acknowledged it', async () => {
  const { agent, sends, trigger, untilState, story } = await atRest()
  const one = await sends('second', THREAD)
  await untilState(one, 'submitted')
  agent.prints(`ACK_TRIGGER:${one}`)
  agent.says('done')
  await untilState(one, 'done')
  expect(await trigger(one)).toMatchObject({ ackBy: 'marker' })
  expect((await story(one)).slice(-2)).toEqual(['acknowledged', 'done'])
})

test('a marker that is drawn only on the screen that ends the turn has acknowledged it', async () => {
  const { id, core, clock, agent, sends, trigger, untilState, story } = await atRest()
  const one = await sends('second', THREAD)
  await untilState(one, 'submitted')
  agent.says('done')
  const looksAtRest = () => {
    const seen = core.watched.get(id)?.screen
    return seen?.phase === 'idle' ? seen.looks : 0
  }
  // One look more, and the turn is over.
  await clock.passUntil('the first look at its idle screen', () => looksAtRest() === 1)
  agent.prints(`ACK_TRIGGER:${one}`)
  await untilState(one, 'done')
  expect(await trigger(one)).toMatchObject({ ackBy: 'marker' })
  expect((await story(one)).slice(-2)).toEqual(['acknowledged', 'done'])
})

test('a turn that was too quick to be seen at work is acknowledged by its marker, and is not typed again', async () => {
  const { agent, sends, trigger, untilState, story } = await atRest()
  const one = await sends('second', THREAD)
  agent.onHeard = () => {
    agent.prints(`ACK_TRIGGER:${one}`)
    agent.says('done')
  }
  await untilState(one, 'done')
  expect(await trigger(one)).toMatchObject({ ackBy: 'marker' })
  expect(await story(one)).toEqual(['queued', 'typed', 'submitted', 'acknowledged', 'done'])
  expect(agent.heard.map(({ text }) => text)).toHaveLength(2)
})

test('a plain prompt expects no acknowledgement', async () => {
  const { clock, sends, untilState, story } = await atRest()
  const one = await sends('second')
  await untilState(one, 'submitted')
  await clock.pass(60 * SECOND)
  expect(await story(one)).toEqual(['queued', 'typed', 'submitted'])
})

test('a marker that stands in what was sent to the agent acknowledges nothing', async () => {
  const { clock, agent, sends, trigger, untilState } = await atRest()
  const one = await sends('second', THREAD)
  await untilState(one, 'submitted')
  agent.says('done')
  const two = await sends('third', THREAD)
  await untilState(two, 'submitted')
  const three = await sends(`say ACK_TRIGGER:${two}`)
  agent.prints(`say ACK_TRIGGER:${two}`)
  await clock.pass(5 * SECOND)
  expect(await trigger(two)).toMatchObject({ state: 'submitted', ackBy: null })
  expect((await trigger(three)).state).toBe('queued')
})

test('a heartbeat of the run that has it acknowledges it, one of a person does not', async () => {
  const { id, core, task, sends, trigger, untilState } = await atRest()
  const one = await sends('second', THREAD)
  await untilState(one, 'submitted')
  await heartbeat(await task(id), { kind: 'person', name: 'ann' }, 'active', core)
  expect((await trigger(one)).state).toBe('submitted')
  const { runId } = await task(id)
  await heartbeat(await task(id), { kind: 'run', run: runId!, name: 'run' }, 'active', core)
  expect(await trigger(one)).toMatchObject({ state: 'acknowledged', ackBy: 'heartbeat' })
})

test('typed three times in vain, it is given to a run that resumes the session', async () => {
  const { id, task, agent, sends, trigger, untilState, story } = await atRest()
  agent.swallowsEnter = true
  const one = await sends('second', THREAD)
  await untilState(one, 'fallen_back')
  const moves = (await story(one)).filter((word) => word !== 'ack_late')
  expect(moves).toEqual([
    ...['queued', 'typed', 'queued', 'typed', 'queued', 'typed'],
    'fell_back ACK_TIMEOUT',
  ])
  expect(await trigger(one)).toMatchObject({ saidAt: null })
  expect((await task(id)).restart).toMatchObject({ kind: 'trigger', by: 'holdfast' })
})

test('a history that somebody left open, with nobody there any more, does not keep it for ever', async () => {
  const { id, terminal, task, sends, untilState, story } = await atRest()
  terminal.setInMode(id, true)
  const one = await sends('second', THREAD)
  await untilState(one, 'fallen_back')
  expect(await story(one)).toEqual([
    ...['queued', 'deferred OPERATOR_BUSY', 'deferred DEFER_TIMEOUT'],
    'fell_back DEFER_TIMEOUT',
  ])
  expect((await task(id)).restart).toMatchObject({ kind: 'trigger' })
})

test('nobody is ended for it while a person is there and looks through the history, however long', async () => {
  const { id, terminal, clock, task, agent, sends, story } = await atRest()
  terminal.personTypes(id)
  terminal.setInMode(id, true)
  const one = await sends('second', THREAD)
  await clock.pass(180 * SECOND)
  expect(await story(one)).toEqual(['queued', 'deferred OPERATOR_BUSY', 'deferred DEFER_TIMEOUT'])
  expect((await task(id)).restart).toBeNull()
  expect(agent.heard).toHaveLength(1)
})

test('nobody is ended over text that a person left in the box: it stays, and the prompt comes when it is gone', async () => {
  const { id, terminal, clock, task, agent, sends, untilState, story } = await atRest()
  agent.personDrafts('half a thought')
  terminal.peopleLeave(id)
  const one = await sends('second', THREAD)
  await clock.pass(180 * SECOND)
  expect(await story(one)).toEqual(['queued', 'deferred OPERATOR_BUSY', 'deferred DEFER_TIMEOUT'])
  expect((await task(id)).restart).toBeNull()
  expect((await terminal.look(id, (await task(id)).runId!))?.text).toContain('half a thought')
  agent.personDrafts('')
  await untilState(one, 'submitted')
  expect(agent.heard.map(({ text }) => text)).toEqual(['first', expect.stringContaining('second')])
})

test('nobody is ended for a plain prompt that a history left open keeps', async () => {
  const { id, terminal, clock, task, sends, story } = await atRest()
  terminal.setInMode(id, true)
  const one = await sends('second')
  await clock.pass(180 * SECOND)
  expect(await story(one)).toEqual(['queued', 'deferred OPERATOR_BUSY', 'deferred DEFER_TIMEOUT'])
  expect((await task(id)).restart).toBeNull()
})

test('when tmux cannot be asked to type, that is said, and it is typed once later', async () => {
  const { terminal, agent, sends, untilState, story } = await atRest()
  const { paste } = terminal
  terminal.paste = async () => {
    throw unavailable('hung')
  }
  const one = await sends('second')
  await untilState(one, 'deferred')
  terminal.paste = paste
  await untilState(one, 'submitted')
  expect(await story(one)).toEqual(['queued', 'deferred SEND_KEYS_ERROR', 'typed', 'submitted'])
  expect(agent.heard).toHaveLength(2)
})

test('a text that is longer than trigger.maxBytes is refused', async () => {
  const { sends } = await atRest()
  await expect(sends('x'.repeat(64 * 1024 + 1))).rejects.toMatchObject({ code: 'PROMPT_TOO_LARGE' })
  await sends('x'.repeat(64 * 1024))
})
