import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  CONTINUATION,
  CONTINUATION_AFTER_LIMIT,
  CONTINUATION_AFTER_STOP,
} from '../../src/domain/task/go-on.ts'
import type { WhyJson } from '../../src/protocol/json/recovery-json.ts'
import { agentPid, anotherAgent, recovering, textIn, untilPhase } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'

const interactive = ['--mode', 'interactive']
test('a terminal agent killed in its turn is resumed in a new pane and told to go on', async () => {
  const world = await recovering()
  const id = await world.run(
    'do: append done.txt one\ndo: wait-for go\ndo: append done.txt two',
    ...interactive,
  )
  await waitFor('the first step', () => existsSync(join(world.project, 'done.txt')))
  const pid = await agentPid(world, id)
  process.kill(pid, 'SIGKILL')
  await anotherAgent(world, id, pid)
  writeFileSync(join(world.project, 'go'), '')
  await untilPhase(world, id, 'idle')
  await waitFor('both steps', () => readFileSync(join(world.project, 'done.txt'), 'utf8') === 'one\ntwo\n')
  const told = world.heard().map(({ heard }) => heard)
  expect(told).toHaveLength(2)
  expect(told[1]).toContain(CONTINUATION.slice(0, 40))
})

test('an idle terminal agent that is killed comes back and is told nothing', async () => {
  const world = await recovering()
  const id = await world.run('do: say ready', ...interactive)
  await untilPhase(world, id, 'idle')
  const pid = await agentPid(world, id)
  process.kill(pid, 'SIGKILL')
  await anotherAgent(world, id, pid)
  await untilPhase(world, id, 'idle')
  const back = (await world.json<WhyJson>(['why', id])).story.at(-1)!
  expect(back).toMatchObject({
    event: 'turn_finished',
    reason: 'its agent is back, and waits for the next prompt',
  })
  expect(back.evidence.map(({ source }) => source)).toContain('screen')
  await world.ok(['send', id, 'do: write two.txt second'])
  await waitFor('the second prompt', () => existsSync(join(world.project, 'two.txt')))
  expect(world.heard()).toHaveLength(2)
})

test('when the tmux server dies, a terminal agent is resumed without spending a retry', async () => {
  const world = await recovering('', { retries: 1 })
  const id = await world.run(
    'do: append done.txt one\ndo: wait-for go\ndo: append done.txt two',
    ...interactive,
  )
  await waitFor('the first step', () => existsSync(join(world.project, 'done.txt')))
  const pid = await agentPid(world, id)
  process.kill(await world.tmuxPid(), 'SIGKILL')
  await anotherAgent(world, id, pid)
  writeFileSync(join(world.project, 'go'), '')
  const task = await untilPhase(world, id, 'idle')
  expect(task.retries).toBe(0)
  await waitFor('both steps', () => readFileSync(join(world.project, 'done.txt'), 'utf8') === 'one\ntwo\n')
})

test('a person who leaves an agent in its turn is asked, and it is not resumed behind their back', async () => {
  const world = await recovering()
  const id = await world.run(
    'do: append done.txt one\ndo: wait-for go\ndo: append done.txt two',
    ...interactive,
  )
  const { tmux_session } = await untilPhase(world, id, 'working')
  await waitFor('the first step', () => existsSync(join(world.project, 'done.txt')))
  await world.tmux('send-keys', '-t', `=${tmux_session}:`, 'C-c')
  await waitFor(
    'the hint',
    async () => (await world.ok(['screen', id])).includes('again to exit') || undefined,
  )
  await world.tmux('send-keys', '-t', `=${tmux_session}:`, 'C-c')
  const task = await untilPhase(world, id, 'stopped_by_person')
  expect(task).toMatchObject({ task_status: 'waiting_input', questions: [{ options: ['resume', 'close'] }] })
  expect(world.heard()).toHaveLength(1)
  writeFileSync(join(world.project, 'go'), '')
  await world.ok(['answer', id, 'resume'])
  await waitFor('both steps', () => readFileSync(join(world.project, 'done.txt'), 'utf8') === 'one\ntwo\n')
})

test('a turn that a person interrupts waits for them; when they go on, nothing is asked any more', async () => {
  const world = await recovering()
  const id = await world.run('do: wait-for go', ...interactive)
  const { tmux_session } = await untilPhase(world, id, 'working')
  await waitFor('its work', async () => (await world.ok(['screen', id])).includes('Working') || undefined)
  const target = `=${tmux_session}:`
  await world.tmux('send-keys', '-t', target, 'Escape')
  const stopped = await untilPhase(world, id, 'stopped_by_person')
  expect(stopped.questions).toMatchObject([{ options: ['resume', 'close'] }])
  await world.tmux('send-keys', '-t', target, 'do: wait 3', 'Enter')
  const working = await untilPhase(world, id, 'working')
  expect(working.questions).toEqual([])
})

test('a turn that a person interrupted goes on in its terminal with `answer <id> resume`', async () => {
  const world = await recovering()
  const id = await world.run('do: wait-for go\ndo: append done.txt whole', ...interactive)
  const { tmux_session, run_id } = await untilPhase(world, id, 'working')
  await waitFor('its work', async () => (await world.ok(['screen', id])).includes('Working') || undefined)
  await world.tmux('send-keys', '-t', `=${tmux_session}:`, 'Escape')
  await untilPhase(world, id, 'stopped_by_person')
  await world.ok(['answer', id, 'resume'])
  await waitFor('it to be told', () => world.heard().length === 2 || undefined)
  expect(world.heard().at(-1)?.heard).toBe(CONTINUATION_AFTER_STOP)
  writeFileSync(join(world.project, 'go'), '')
  const task = await untilPhase(world, id, 'idle')
  expect(task).toMatchObject({ run_id, questions: [] })
  expect(textIn(world, 'done.txt')).toBe('whole\n')
})

test.each([
  ['its tmux server', (world: World, _id: string) => world.tmuxPid()],
  ['the agent', agentPid],
])('a turn that a person interrupted stays stopped when %s is killed', async (_, pidOf) => {
  const world = await recovering()
  const id = await world.run('do: wait-for go\ndo: append done.txt whole', ...interactive)
  const { tmux_session } = await untilPhase(world, id, 'working')
  await waitFor('its work', async () => (await world.ok(['screen', id])).includes('Working') || undefined)
  await world.tmux('send-keys', '-t', `=${tmux_session}:`, 'Escape')
  await untilPhase(world, id, 'stopped_by_person')
  process.kill(await pidOf(world, id), 'SIGKILL')
  await waitFor('the end of its run', async () => {
    const { runs } = await world.json<WhyJson>(['why', id])
    return runs[0]!.state !== 'live'
  })
  expect(await world.status(id)).toMatchObject({
    phase: 'stopped_by_person',
    reason: 'stopped by a person: interrupted in its terminal',
    questions: [{ options: ['resume', 'close'] }],
  })
  writeFileSync(join(world.project, 'go'), '')
  await world.ok(['answer', id, 'resume'])
  await waitFor('its last step', () => textIn(world, 'done.txt') === 'whole\n')
  expect(world.heard().map(({ resumed }) => resumed)).toEqual([false, true])
})

test('an agent at its limit in a terminal is told to go on there with `unpark`', async () => {
  const world = await recovering()
  const id = await world.run('do: limit 3600\ndo: append done.txt two', ...interactive)
  const { run_id } = await untilPhase(world, id, 'parked')
  await world.ok(['unpark', id])
  await waitFor('it to be told', () => world.heard().length === 2 || undefined)
  expect(world.heard()[1]!.heard).toBe(CONTINUATION_AFTER_LIMIT)
  expect((await world.status(id)).run_id).toBe(run_id)
})

test('a task whose terminal a person closed waits for that person', async () => {
  const world = await recovering()
  const id = await world.run('do: wait-for go', ...interactive)
  const { tmux_session } = await untilPhase(world, id, 'working')
  await waitFor('its prompt', () => world.heard().length === 1)
  await world.tmux('kill-session', '-t', `=${tmux_session}`)
  const task = await untilPhase(world, id, 'stopped_by_person')
  expect(task.reason).toContain('its terminal was closed')
  expect(task).toMatchObject({ task_status: 'waiting_input', questions: [{ options: ['resume', 'close'] }] })
  expect(world.heard()).toHaveLength(1)
})

test('a headless agent interrupted in its window waits for its person', async () => {
  const world = await recovering()
  const id = await world.run('do: wait-for go\ndo: finish whole')
  const { tmux_session } = await untilPhase(world, id, 'working')
  await agentPid(world, id)
  const target = `=${tmux_session}:`
  await world.tmux('send-keys', '-t', target, 'C-c')
  await waitFor(
    'the hint',
    async () => (await world.ok(['screen', id])).includes('Ctrl-C again') || undefined,
  )
  await world.tmux('send-keys', '-t', target, 'C-c')
  await untilPhase(world, id, 'stopped_by_person')
  writeFileSync(join(world.project, 'go'), '')
  await world.ok(['answer', id, 'resume'])
  await world.untilStatus(id, 'COMPLETED')
})

test('a headless task is taken over in its terminal and handed back', async () => {
  const world = await recovering()
  const id = await world.run(
    'do: append done.txt one\ndo: wait-for go\ndo: append done.txt two\ndo: finish whole',
  )
  await waitFor('the first step', () => existsSync(join(world.project, 'done.txt')))
  const pid = await agentPid(world, id)
  await world.ok(['takeover', id])
  const terminal = await anotherAgent(world, id, pid)
  expect(await world.status(id)).toMatchObject({ mode: 'interactive', status: 'RUNNING' })
  await untilPhase(world, id, 'idle')
  expect(await world.ok(['why', id])).toContain('its last turn was cut short')
  await waitFor('its box', async () => (await world.ok(['screen', id])).includes('enter sends') || undefined)
  await world.ok(['handback', id])
  await anotherAgent(world, id, terminal)
  writeFileSync(join(world.project, 'go'), '')
  const task = await world.untilStatus(id, 'COMPLETED')
  expect(task.mode).toBe('headless')
  expect(readFileSync(join(world.project, 'done.txt'), 'utf8')).toBe('one\ntwo\n')
})

test('a usage limit in a conversation parks it; afterwards the same process is told to go on', async () => {
  const world = await recovering()
  const id = await world.run('do: limit 2\ndo: append done.txt two', '--converse')
  await untilPhase(world, id, 'parked')
  const pid = await agentPid(world, id)
  await waitFor('the second step', () => existsSync(join(world.project, 'done.txt')), 20_000)
  expect(await agentPid(world, id)).toBe(pid)
  expect(world.heard().map(({ heard }) => heard)[1]).toBe(CONTINUATION_AFTER_LIMIT)
})

test('an agent without any sign of life is interrupted and resumed, then shown to a person', async () => {
  const world = await recovering('stuck.after: 1s\nstuck.quiet: 1s\n')
  const id = await world.run(
    'do: append done.txt one\ndo: wait-for go\ndo: append done.txt two\ndo: finish whole',
  )
  const task = await untilPhase(world, id, 'stuck')
  await waitFor(
    'a person to be asked',
    async () => {
      const now = await world.status(id)
      return now.questions.length > 0 ? now : undefined
    },
    20_000,
  )
  expect(task.reason).toContain('no sign of life')
  expect(world.heard().map(({ resumed }) => resumed)).toEqual([false, true])
  await world.ok(['answer', id, 'resume'])
  writeFileSync(join(world.project, 'go'), '')
  await world.untilStatus(id, 'COMPLETED')
  expect(readFileSync(join(world.project, 'done.txt'), 'utf8')).toBe('one\ntwo\n')
})

test('a stuck agent that a person retries begins anew, and what was asked is settled at once', async () => {
  const world = await recovering('stuck.after: 1s\nstuck.quiet: 1s\n', { killGrace: '3s' })
  const id = await world.run('do: ignore-term\ndo: append done.txt one\ndo: wait-for go\ndo: finish whole')
  const asked = async () => (await world.status(id)).questions
  await waitFor('a person to be asked', async () => (await asked()).length > 0, 30_000)
  const before = world.heard().map(({ session }) => session)
  await world.ok(['retry', id])
  expect(await asked()).toEqual([])
  writeFileSync(join(world.project, 'go'), '')
  await world.untilStatus(id, 'COMPLETED', 30_000)
  const after = world.heard().filter(({ session }) => !before.includes(session))
  expect(after).toMatchObject([{ resumed: false }])
})
