// Sessions that stay when their turn is over, and sessions that wait: what `monitor` and `run --wait` say of them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MonitorJson } from '../../src/protocol/json/monitor-json.ts'
import { untilPhase } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { finished, type Said, startWorld, type World } from '../helpers/world.ts'

const answerOf = ({ stdout }: Said) => JSON.parse(stdout) as MonitorJson
const touch = (world: World, name: string) => writeFileSync(join(world.project, name), '')

test.each([['--converse'], ['--mode', 'interactive']])(
  'monitor returns when the turn of a session is over, and says how to go on: %s %s',
  async (...flags) => {
    const world = await startWorld()
    const id = await world.run('do: wait-for go\ndo: say hello', ...flags.filter(Boolean))
    const waiting = world.cli(['monitor', id, '--json'])
    await untilPhase(world, id, 'working')
    touch(world, 'go')
    const said = await waiting
    expect(said.code).toBe(0)
    expect(answerOf(said)).toMatchObject({
      final_state: 'completed',
      exit_reason: 'its turn is over; it waits for a prompt',
      task_status: 'running',
      phase: 'idle',
    })
    const plain = await world.cli(['monitor', id])
    expect(plain.stdout).toContain(`  Go on with: holdfast send ${id} <prompt>\n`)
    const on = await world.cli(['monitor', id, '--until', 'ended', '--timeout', '1s', '--json'])
    expect([on.code, answerOf(on)]).toMatchObject([2, { final_state: 'timeout', phase: 'idle' }])
  },
)

test('monitor does not return between two turns when a prompt is still to be said', async () => {
  const world = await startWorld()
  const id = await world.run('do: wait-for one\ndo: say first', '--converse')
  await untilPhase(world, id, 'working')
  const sending = world.cli(['send', id, 'do: wait-for two\ndo: say second'])
  await waitFor('the prompt to be stored', async () => (await world.status(id)).inputs.length === 2)
  const monitor = world.start(['monitor', id, '--json'])
  const ended = finished(monitor)
  touch(world, 'one')
  await sending
  await waitFor('the second turn', () => world.heard().length === 2)
  expect(monitor.exitCode).toBeNull()
  touch(world, 'two')
  expect(answerOf(await ended)).toMatchObject({
    final_state: 'completed',
    phase: 'idle',
    last_words: expect.stringContaining('second'),
  })
  expect((await world.status(id)).inputs.every(({ done }) => done)).toBe(true)
})

test('the work of an idle session with a contract is verified when it is asked for', async () => {
  const world = await startWorld()
  const contract = ['--verify', 'file:made', '--verify', 'cmd:sleep 2']
  const id = await world.run('do: say hello', '--converse', ...contract)
  const not = await world.cli(['monitor', id, '--json', '--verbose'])
  expect(not.code).toBe(2)
  expect(answerOf(not)).toMatchObject({ final_state: 'incomplete', phase: 'idle', task_status: 'running' })
  expect(answerOf(not).exit_reason).toContain('file made')
  expect(not.stderr).toContain('idle: its turn is over, and its work is being verified')
  touch(world, 'made')
  const good = await world.cli(['monitor', id, '--json'])
  expect([good.code, answerOf(good).final_state]).toEqual([0, 'completed'])
})

test('an idle session whose last turn failed by its own word is not completed', async () => {
  const world = await startWorld()
  const id = await world.run('do: fail nothing to do here', '--converse')
  const said = await world.cli(['monitor', id, '--json'])
  expect(said.code).toBe(2)
  expect(answerOf(said)).toMatchObject({ final_state: 'incomplete', exit_reason: 'nothing to do here' })
})

test('run --converse --wait returns when the turn is over, and says how to go on', async () => {
  const world = await startWorld()
  const said = await world.cli(['run', '--converse', '--wait', 'do: say hello'])
  expect(said.code).toBe(0)
  expect(said.stdout).toContain('hello')
  expect(said.stderr).toMatch(/Session idle: \S+: its turn is over; it waits for a prompt/)
  expect(said.stderr).toMatch(
    /Go on with: holdfast send \S+ <prompt>\n {2}End it with: holdfast finish \S+\n/,
  )
  const json = await world.cli(['run', '--converse', '--wait', '--json', 'do: say hello'])
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([0, { task: { phase: 'idle' } }])
  const bad = await world.cli(['run', '--converse', '--wait', '--verify', 'file:made', 'do: say hello'])
  expect(bad.code).toBe(2)
  expect(bad.stderr).toMatch(/Session incomplete: \S+: file made/)
})

test('monitor --verbose tells which slot or gate is waited for, and until when; so does giving up', async () => {
  const world = await startWorld({ retries: 5, config: 'maxConcurrent: 1\n' })
  const first = await world.run('do: wait-for go\ndo: limit-until over 7200\ndo: finish whole')
  await untilPhase(world, first, 'working')
  const second = await world.run('do: finish two')
  const look = () => world.cli(['monitor', second, '--verbose', '--max-polls', '1', '--csv'])
  const slot = await look()
  expect(slot.stderr).toBe(`${second} queued: starts as soon as a slot is free (number 1 in the queue)\n`)
  expect(slot.stdout).toContain('not done after 1 poll: still queued: starts as soon as a slot is free')
  touch(world, 'go')
  await untilPhase(world, first, 'parked')
  const gate = await look()
  expect(gate.stderr).toMatch(
    /queued, in 1h 59m \(.*\): starts; its usage limit should be over then: one task tries first, the rest follow\. At once: `holdfast unpark .*`\n$/,
  )
  const json = answerOf(await world.cli(['monitor', second, '--json', '--max-polls', '1']))
  expect(json.next).toMatchObject({ kind: 'behind_gate', at: expect.any(String) })
})

test('run --wait says what a session waits for, until when and what can be done; also when it is to be decided', async () => {
  const world = await startWorld({ retries: 5 })
  const first = await world.run('do: limit 7200')
  await untilPhase(world, first, 'parked')
  const waits = world.start(['run', '--wait', 'do: fail-as permanent no grammar'])
  let said = ''
  waits.stderr!.on('data', (bytes: Buffer) => {
    said += bytes
  })
  await waitFor('the limit', () => /^Next: in 1h 59m .*`holdfast unpark \S+`$/m.test(said))
  const [, id = ''] = /`holdfast unpark (\S+)`/.exec(said) ?? []
  await world.ok(['unpark', id])
  await waitFor('the decision', () =>
    said.includes(`Next: waits for your answer: \`holdfast answer ${id} <choice>`),
  )
  expect(said).toMatch(/^Question 1: no grammar.*\n {2}1\. resume\n {2}2\. close\nNext: /m)
  const ended = finished(waits)
  await world.ok(['answer', id, 'close'])
  expect((await ended).code).toBe(2)
  expect(said.match(/^Next: /gm)!.length).toBeLessThanOrEqual(3)
})
