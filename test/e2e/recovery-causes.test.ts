import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CONTINUATION_AFTER_FAILURE } from '../../src/domain/task/go-on.ts'
import { agentPid, recovering, textIn, untilPhase } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

const steps = (...lines: string[]) => lines.map((line) => `do: ${line}`).join('\n')

test('a login that fails is a person’s business: asked at once, retried only by their word', async () => {
  const world = await recovering()
  const id = await world.run(
    steps('append done.txt one', 'fail-until key permanent Invalid API key', 'finish whole'),
  )
  const asking = await untilPhase(world, id, 'asking')
  expect(asking).toMatchObject({
    task_status: 'waiting_input',
    questions: [{ options: ['resume', 'close'] }],
  })
  expect(asking.questions[0]!.question).toContain('Invalid API key')
  expect(world.heard()).toHaveLength(1)
  writeFileSync(join(world.project, 'key'), '')
  await world.ok(['answer', id, 'resume'])
  await world.untilStatus(id, 'COMPLETED')
})

test('a network that is gone holds everybody, also who comes later; when it is back all go on', async () => {
  const config = 'backoff.base: 2s\nbackoff.cap: 2s\nwake.stagger: 50ms\n'
  const world = await startWorld({ retries: 10, config })
  const script = steps('fail-until net environment network is down', 'tool 0.1 work', 'finish whole')
  const ids = [await world.run(script), await world.run(script)]
  // Whichever came second may have been held in the queue already.
  await Promise.any(ids.map((id) => untilPhase(world, id, 'parked')))
  const late = await world.run(steps('finish late'))
  expect(await world.status(late)).toMatchObject({ status: 'CREATED', waits_for: 'environment' })
  expect(world.heard().some(({ heard }) => heard.includes('finish late'))).toBe(false)
  writeFileSync(join(world.project, 'net'), '')
  for (const id of [...ids, late]) await world.untilStatus(id, 'COMPLETED', 40_000)
})

test('an agent that fails for a cause that passes is retried in the same session', async () => {
  const world = await recovering()
  const id = await world.run(steps('fail-until up transient overloaded', 'finish whole'))
  await waitFor('a retry', () => world.heard().length > 1)
  writeFileSync(join(world.project, 'up'), '')
  await world.untilStatus(id, 'COMPLETED')
  expect(new Set(world.heard().map(({ session }) => session)).size).toBe(1)
})

test.each([[[]], [['--converse']]])(
  'a session that the agent has lost is begun anew, with what was done as context: %j',
  async (flags) => {
    const world = await recovering()
    const id = await world.run(steps('append done.txt one', 'wait-for go', 'finish whole'), ...flags)
    await waitFor(
      'the first step',
      async () => (await world.ok(['logs', id])).includes('done.txt') || undefined,
    )
    const pid = await agentPid(world, id)
    rmSync(join(world.user, '.local/state/holdfast-scripted-agent/sessions'), { recursive: true })
    process.kill(pid, 'SIGKILL')
    const [anew] = await waitFor('a second session', () =>
      world.heard().length > 0 ? world.heard() : undefined,
    )
    expect(anew!.heard).toContain('do: append done.txt one')
    expect(anew!.heard).toMatch(/\[Resume Context\][\s\S]*Files touched:\n> done.txt/)
    writeFileSync(join(world.project, 'go'), '')
    await waitFor('its end', () => textIn(world, 'done.txt') === 'one\none\n')
    if (flags.length > 0) {
      await untilPhase(world, id, 'idle')
      await world.ok(['send', id, '--end'])
    }
    await world.untilStatus(id, 'COMPLETED')
    expect(world.heard()).toHaveLength(1)
  },
)

test('after a turn that failed in a conversation, the same process is told to go on and why', async () => {
  const world = await recovering()
  const id = await world.run(steps('append done.txt one', 'fail-as transient overloaded'), '--converse')
  const pid = await agentPid(world, id)
  await waitFor('the word to go on', () => world.heard().length === 2)
  await untilPhase(world, id, 'idle')
  expect(world.heard()[1]!.heard).toContain(CONTINUATION_AFTER_FAILURE)
  expect(await agentPid(world, id)).toBe(pid)
  expect(textIn(world, 'done.txt')).toBe('one\n')
})

test('a task that used more tokens than maxTokens is killed', async () => {
  const world = await recovering('maxTokens: 100\n')
  const id = await world.run(steps('usage 60 60 0', 'wait-for never'))
  const task = await world.untilStatus(id, 'KILLED')
  expect(task.reason).toBe('max_tokens of 100 exceeded: 120 used')
})

test('a task that cost more than maxCost is killed', async () => {
  const world = await recovering('maxCost: 0.5\n')
  const id = await world.run(steps('usage 1 1 0.6', 'wait-for never'))
  expect((await world.untilStatus(id, 'KILLED')).reason).toContain('max_cost of $0.5 exceeded')
})

test('after its deadline a task is not brought back, but a living agent is left alone', async () => {
  const world = await recovering('deadline: 1ms\n')
  const id = await world.run(steps('wait-for go', 'crash 3'))
  await untilPhase(world, id, 'working')
  writeFileSync(join(world.project, 'go'), '')
  const task = await world.untilStatus(id, 'FAILED')
  expect(task).toMatchObject({ exit_code: 3, exit_signal: null })
  expect(task.reason).toContain('its deadline has passed, so it is not brought back')
})

test('restarts of the daemon cost no retry', async () => {
  const world = await recovering()
  const id = await world.run(steps('wait-for go', 'finish whole'))
  const pid = await agentPid(world, id)
  for (let n = 0; n < 3; n++) {
    await world.killDaemon()
    expect(await world.status(id)).toMatchObject({ retries: 0, status: 'RUNNING' })
  }
  expect(await agentPid(world, id)).toBe(pid)
  writeFileSync(join(world.project, 'go'), '')
  await world.untilStatus(id, 'COMPLETED')
  expect(world.heard()).toHaveLength(1)
})

test('after a reboot everything unfinished goes on in the environment it was made with, at no cost', async () => {
  const world = await recovering('', { retries: 1 })
  const ids = [1, 2, 3].map(() =>
    world.run(steps('wait-for go', 'env COLOUR', 'finish whole'), '--env', 'COLOUR=red'),
  )
  const tasks = await Promise.all(ids)
  for (const id of tasks) await agentPid(world, id)
  const runs = await Promise.all(tasks.map(async (id) => (await world.status(id)).run_id!))
  await world.killDaemon()
  process.kill(await world.tmuxPid(), 'SIGKILL')
  for (const pid of world.processes()) process.kill(pid, 'SIGKILL')
  await waitFor('the power to be off', () => world.processes().length === 0)
  for (const run of runs)
    writeFileSync(
      join(world.home, 'exits', `${run}.json`),
      '{"code":null,"signal":"TERM","at":1,"boot_id":"an-earlier-boot"}\n',
    )
  writeFileSync(join(world.project, 'go'), '')
  for (const id of tasks) {
    const task = await world.untilStatus(id, 'COMPLETED', 30_000)
    expect(task.retries).toBe(0)
    expect(await world.ok(['logs', id])).toContain('COLOUR=red')
  }
})
