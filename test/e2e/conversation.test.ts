import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AnsweredJson, SentJson } from '../../src/protocol/json/input-json.ts'
import { textIn } from '../helpers/faults.ts'
import { ask } from '../helpers/raw-requests.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const untilPhase = (world: World, id: string, phase: string) =>
  waitFor(`${id} to be ${phase}`, async () => {
    const task = await world.status(id)
    return task.phase === phase ? task : undefined
  })

const feederOf = async (world: World, id: string) => {
  const { run_id } = await world.status(id)
  return Number(readFileSync(join(world.home, 'runs', run_id!, 'feeder'), 'utf8').split(' ')[0])
}

test('a conversation hears one prompt after the other and ends when it is told that no more will come', async () => {
  const world = await startWorld()
  const id = await world.run('do: say one', '--converse')
  await untilPhase(world, id, 'idle')
  const sent = await world.json<SentJson>(['send', id, 'do: write two.txt second'])
  expect(sent).toMatchObject({ said: true, heard: true, number: 2 })
  await waitFor('the second turn', () => textIn(world, 'two.txt').includes('second'))
  await untilPhase(world, id, 'idle')
  await world.ok(['send', id, '--end'])
  const task = await world.untilStatus(id, 'COMPLETED')
  expect(task).toMatchObject({ exit_code: 0, questions: [] })
  expect(world.heard().map(({ heard }) => heard)).toEqual(['do: say one', 'do: write two.txt second'])
})

test('a prompt sent while the agent works waits for its turn', async () => {
  const world = await startWorld()
  const id = await world.run('do: wait-for go\ndo: say first done', '--converse')
  await untilPhase(world, id, 'working')
  const sending = world.json<SentJson>(['send', id, 'do: append order.txt second'])
  await waitFor('the prompt to be stored', async () => (await world.status(id)).inputs.length === 2)
  expect((await world.status(id)).phase).toBe('working')
  expect(world.heard()).toHaveLength(1)
  await world.ok(['run', '--wait', 'do: append order.txt first\ndo: write go now'])
  await sending
  await waitFor('both turns', () => textIn(world, 'order.txt').split('\n').length === 3)
  expect(textIn(world, 'order.txt')).toBe('first\nsecond\n')
  expect(world.heard()).toHaveLength(3)
})

test('a question waits with its options for one answer, which its own run may not give', async () => {
  const world = await startWorld()
  const id = await world.run('do: ask Which colour? | red | green\ndo: finish thanks', '--converse')
  const asking = await world.untilStatus(id, 'waiting_input')
  expect(asking.questions).toMatchObject([
    { number: 1, question: 'Which colour?', options: ['red', 'green'] },
  ])
  expect(await world.ok(['status', id])).toContain('  2. green')
  const byRun = await world.cli(['answer', id, 'red'], { env: { HOLDFAST_RUN: asking.run_id! } })
  expect(byRun).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('A run may answer questions of only sessions that it started'),
  })
  const wrong = await world.cli(['answer', id, '2', '--question', '7'])
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('no open question 7') })
  const answered = await world.json<AnsweredJson>(['answer', id, 'gre'])
  expect(answered).toMatchObject({ answer: 'green', settled: true })
  const late = await world.cli(['answer', id, 'red'])
  expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('has no open question') })
  await untilPhase(world, id, 'idle')
  expect(await world.ok(['logs', id])).toContain('answer: green')
})

test('two answers at once: one is taken, the other refused', async () => {
  const world = await startWorld()
  const id = await world.run('do: ask Go? | yes | no\ndo: finish thanks', '--converse')
  await world.untilStatus(id, 'waiting_input')
  const both = await Promise.all([world.cli(['answer', id, 'yes']), world.cli(['answer', id, 'no'])])
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1])
  await untilPhase(world, id, 'idle')
  const [taken, refused] = both[0]!.code === 0 ? ['yes', 'no'] : ['no', 'yes']
  const log = await world.ok(['logs', id])
  expect(log).toContain(`answer: ${taken}`)
  expect(log).not.toContain(`answer: ${refused}`)
})

test('the daemon killed in the middle of a turn misses nothing of it', async () => {
  const world = await startWorld()
  const id = await world.run('do: say one\ndo: wait-for go\ndo: say two', '--converse')
  await untilPhase(world, id, 'working')
  await waitFor('the prompt', () => world.heard().length === 1 || undefined)
  await world.killDaemon()
  writeFileSync(join(world.project, 'go'), '')
  await untilPhase(world, id, 'idle')
  const log = await world.ok(['logs', id])
  expect(log.match(/agent: (one|two)/g)).toEqual(['agent: one', 'agent: two'])
  expect(world.heard()).toHaveLength(1)
})

test('the daemon killed in the middle of appending a 300 KB message appends what is missing, once', async () => {
  const world = await startWorld({ config: 'trigger.maxBytes: 1048576\n' })
  const id = await world.run('do: say one', '--converse')
  const { run_id } = await untilPhase(world, id, 'idle')
  const input = join(world.home, 'runs', run_id!, 'in.jsonl')
  const before = statSync(input).size
  const feeder = await feederOf(world, id)
  // What reached the file reaches the agent only later, so that the append can be cut as a crash would.
  process.kill(feeder, 'SIGSTOP')
  const large = `do: say two\n${'ä'.repeat(150_000)}`
  // Not by a command: that would ask again, and start the next daemon before the append is cut.
  const body = JSON.stringify({ prompt: large })
  const sending = ask(world, 'POST', `/api/tasks/${id}/inputs`, { body }).catch(() => {})
  await waitFor('the message', () => statSync(input).size > 300_000 || undefined)
  await world.killDaemon()
  await sending
  const whole = statSync(input).size
  truncateSync(input, before + 100_001)
  await world.status(id)
  await waitFor('the rest', () => statSync(input).size === whole || undefined)
  process.kill(feeder, 'SIGCONT')
  await waitFor('the message to be heard', () => world.heard().length === 2)
  await world.ok(['send', id, 'do: say three'])
  await waitFor('the last message to be heard', () => world.heard().length === 3)
  expect(world.heard().map(({ heard }) => heard)).toEqual(['do: say one', large, 'do: say three'])
})

test('the end of the input without a result is not success', async () => {
  const world = await startWorld()
  const id = await world.run('do: hang', '--converse')
  await untilPhase(world, id, 'working')
  await waitFor('the prompt', () => world.heard().length === 1 || undefined)
  process.kill(await feederOf(world, id), 'SIGTERM')
  const task = await world.untilStatus(id, 'FAILED')
  expect(task.reason).toMatch(/without a result/)
})

test('a prompt for an agent that takes no further prompts is refused, and the agent hears nothing', async () => {
  const world = await startWorld()
  const id = await world.run('do: hang')
  await world.untilStatus(id, 'RUNNING')
  const said = await world.cli(['send', id, 'more'])
  expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining('takes no further prompts') })
  expect((await world.status(id)).inputs.map(({ text }) => text)).not.toContain('more')
})
