import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CONTINUATION } from '../../src/domain/task/go-on.ts'
import type { ParksJson } from '../../src/protocol/json/recovery-json.ts'
import { agentPid, recovering, untilPhase } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

test('an agent killed in a tool is resumed in its session with the fixed words, and told its prompt once', async () => {
  const world = await recovering()
  const id = await world.run(
    'do: append done.txt one\ndo: wait-for go\ndo: append done.txt two\ndo: finish whole',
  )
  await waitFor('the first step', () => existsSync(join(world.project, 'done.txt')))
  const pid = await agentPid(world, id)
  process.kill(pid, 'SIGKILL')
  await waitFor('another agent', async () => (await agentPid(world, id)) !== pid)
  writeFileSync(join(world.project, 'go'), '')
  const task = await world.untilStatus(id, 'COMPLETED')
  expect(task.reason).toBe('the agent finished')
  expect(readFileSync(join(world.project, 'done.txt'), 'utf8')).toBe('one\ntwo\n')
  const heard = world.heard()
  expect(heard.map(({ resumed }) => resumed)).toEqual([false, true])
  expect(heard[1]!.heard).toContain(CONTINUATION)
  expect(heard[1]!.heard).not.toContain('append done.txt')
})

test('logs show where an agent died and its next life began; session.log warns with its exit', async () => {
  const world = await recovering()
  const id = await world.run('do: say one\ndo: crash 3\ndo: say two\ndo: finish whole')
  await world.untilStatus(id, 'COMPLETED')
  const log = await world.ok(['logs', id])
  expect(log.match(/^(agent: \w+|\[holdfast\].*)$/gm)).toEqual([
    'agent: one',
    expect.stringMatching(/^\[holdfast\] run 1 ended: exited with code 3/),
    '[holdfast] run 2 resumes its session',
    'agent: two',
  ])
  const session = await world.ok(['logs', id, '--session'])
  expect(session).toMatch(
    /\[WARN\] Phase: (starting|working) → queued \(exited with code 3.*\)\. Exit code: 3$/m,
  )
  expect(session).not.toMatch(/(RUNNING|CREATED) → \1/)
  expect(session).not.toContain('works again')
  expect(session.match(/Status: .*? → \w+/g)).toEqual([
    'Status: CREATED → RUNNING',
    'Status: RUNNING → COMPLETED',
  ])
})

test('an agent that crashes again and again without progress is shown to a person, who retries it', async () => {
  const world = await recovering()
  const prompt = 'do: run sh -c "test -e mended || kill -9 $PPID"\ndo: finish whole'
  const id = await world.run(prompt)
  const task = await untilPhase(world, id, 'stuck')
  expect(task).toMatchObject({ status: 'RUNNING', task_status: 'waiting_input' })
  expect(task.questions).toMatchObject([{ options: ['resume', 'retry', 'close'] }])
  const before = world.heard()
  writeFileSync(join(world.project, 'mended'), '')
  await world.ok(['answer', id, 'retry'])
  await world.untilStatus(id, 'COMPLETED')
  const sessions = before.map(({ session }) => session)
  const after = world.heard().filter(({ session }) => !sessions.includes(session))
  expect(after).toMatchObject([{ heard: expect.stringContaining(prompt), resumed: false }])
})

test('a closed question ends the task as cancelled', async () => {
  const world = await recovering()
  const id = await world.run('do: run sh -c "kill -9 $PPID"')
  await untilPhase(world, id, 'stuck')
  await world.ok(['answer', id, 'close'])
  const task = await world.untilStatus(id, 'KILLED')
  expect(task).toMatchObject({ task_status: 'cancelled', reason: expect.stringContaining('closed by') })
})

test('a usage limit parks the task until its reset, and then it goes on', async () => {
  const world = await recovering()
  const id = await world.run(
    'do: append done.txt one\ndo: limit 2\ndo: append done.txt two\ndo: finish whole',
  )
  const parked = await untilPhase(world, id, 'parked')
  expect(parked.reason).toContain('limit')
  await world.untilStatus(id, 'COMPLETED')
  expect(world.heard()[1]!.at).toBeGreaterThanOrEqual(Date.parse(parked.waits_until!))
  expect(readFileSync(join(world.project, 'done.txt'), 'utf8')).toBe('one\ntwo\n')
})

test('parked tasks of one account wake one first, then the rest', async () => {
  // One that lasted for `backoff.cap` would count as getting on.
  const world = await startWorld({
    retries: 10,
    config: 'backoff.base: 50ms\nbackoff.cap: 60s\nwake.stagger: 50ms\nreconcile.interval: 300ms\n',
  })
  const ids = await Promise.all(
    [1, 2, 3].map((n) => world.run(`do: limit 2\ndo: wait-for go\ndo: finish done ${n}`)),
  )
  const told = () => world.heard().filter(({ resumed }) => resumed)
  const first = await waitFor('one to go on', () => told()[0], 20_000)
  const { gates } = await world.json<ParksJson>(['parks'])
  const [tries, ...rest] = [...ids].sort((id) => (id === gates[0]!.canary ? -1 : 1))
  expect(first.run).toBe((await world.status(tries!)).run_id)
  expect(gates).toMatchObject([{ kind: 'limit', canary: tries }])
  expect(gates[0]!.waiting.toSorted()).toEqual(rest.toSorted())
  expect(told()).toHaveLength(1)
  writeFileSync(join(world.project, 'go'), '')
  for (const id of ids) await world.untilStatus(id, 'COMPLETED', 40_000)
  const byTime = told().toSorted((one, other) => one.at - other.at)
  expect(byTime).toHaveLength(3)
  expect(byTime[0]!.run).toBe(first.run)
})

test('an agent that died before it did anything is begun afresh', async () => {
  const world = await recovering()
  const prompt = 'do: wait-for go\ndo: finish whole'
  const id = await world.run(prompt)
  const pid = await agentPid(world, id)
  process.kill(pid, 'SIGKILL')
  await waitFor('another agent', async () => (await agentPid(world, id)) !== pid)
  writeFileSync(join(world.project, 'go'), '')
  await world.untilStatus(id, 'COMPLETED')
  const { run_id } = await world.status(id)
  const [told, ...more] = world.heard().filter(({ run }) => run === run_id)
  expect(told).toMatchObject({ heard: prompt, resumed: false })
  expect(more).toEqual([])
  expect(await world.ok(['logs', id])).toContain('[holdfast] run 2 starts over\n')
})

test('without retries a crash is the end', async () => {
  const world = await startWorld()
  const id = await world.run('do: crash 3')
  const task = await world.untilStatus(id, 'FAILED')
  expect(task.reason).toContain('exited with code 3')
  expect(world.heard()).toHaveLength(1)
})

test('an ended task that a person resumes goes on where it was', async () => {
  const world = await startWorld()
  const id = await world.run(
    'do: append done.txt one\ndo: crash 3\ndo: append done.txt two\ndo: finish whole',
  )
  await world.untilStatus(id, 'FAILED')
  await world.ok(['resume', id])
  await world.untilStatus(id, 'COMPLETED')
  expect(readFileSync(join(world.project, 'done.txt'), 'utf8')).toBe('one\ntwo\n')
  expect(world.heard().map(({ resumed }) => resumed)).toEqual([false, true])
})

test('a conversing agent that dies in a turn is resumed, told to go on, and then hears the next prompt', async () => {
  const world = await recovering()
  const id = await world.run(
    'do: append done.txt one\ndo: wait-for go\ndo: append done.txt two',
    '--converse',
  )
  await waitFor('the first step', () => existsSync(join(world.project, 'done.txt')))
  await world.ok(['send', id, 'do: append done.txt three'])
  const pid = await agentPid(world, id)
  process.kill(pid, 'SIGKILL')
  await waitFor('another agent', async () => (await agentPid(world, id)) !== pid)
  writeFileSync(join(world.project, 'go'), '')
  await waitFor(
    'all three',
    () => readFileSync(join(world.project, 'done.txt'), 'utf8') === 'one\ntwo\nthree\n',
  )
  await world.ok(['send', id, '--end'])
  await world.untilStatus(id, 'COMPLETED')
  expect(world.heard().map(({ heard, resumed }) => [heard, resumed])).toEqual([
    ['do: append done.txt one\ndo: wait-for go\ndo: append done.txt two', false],
    [CONTINUATION, true],
    ['do: append done.txt three', expect.any(Boolean)],
  ])
})

test('a conversation killed between two turns comes back, and completes when no more will come', async () => {
  const world = await recovering()
  const id = await world.run('do: say one', '--converse')
  await untilPhase(world, id, 'idle')
  const pid = await agentPid(world, id)
  process.kill(pid, 'SIGKILL')
  await waitFor('another agent', async () => (await agentPid(world, id)) !== pid)
  await untilPhase(world, id, 'idle')
  await world.ok(['send', id, '--end'])
  await world.untilStatus(id, 'COMPLETED')
  expect(world.heard()).toHaveLength(1)
})
