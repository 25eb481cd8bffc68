import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MonitorJson } from '../../src/protocol/json/monitor-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { finished, type Said, startWorld } from '../helpers/world.ts'

const answerOf = ({ stdout }: Said) => JSON.parse(stdout) as MonitorJson
const kindsOf = ({ events }: MonitorJson) => events!.map(({ event }) => event.replace('task_', ''))

test('a monitor killed and repeated misses nothing, and repeats only what was not acknowledged', async () => {
  const world = await startWorld()
  const script = 'do: wait-for ask\ndo: ask Go? | yes | no\ndo: wait-for end'
  const id = await world.run(script, '--converse')
  const monitor = (...more: string[]) => world.cli(['monitor', id, '--json', '--cursor', 'night', ...more])

  const killed = world.start(['monitor', id, '--json', '--cursor', 'night', '--verbose'])
  const ended = finished(killed)
  let progress = ''
  killed.stderr!.on('data', (text) => (progress += text))
  await waitFor('monitor to wait', () => progress.includes('working'))
  killed.kill('SIGKILL')
  expect((await ended).stdout).toBe('')
  writeFileSync(join(world.project, 'ask'), '')

  const first = answerOf(await monitor())
  expect(first.final_state).toBe('needs_input')
  expect(kindsOf(first)).toEqual(['created', 'launched', 'agent_started', 'question_asked'])
  const repeated = answerOf(await monitor())
  expect(kindsOf(repeated)).toEqual(kindsOf(first))

  // It was answered and went on while nobody waited: the next call tells of it, and of nothing twice.
  await world.ok(['answer', id, 'yes'])
  writeFileSync(join(world.project, 'end'), '')
  await world.ok(['send', id, '--end'])
  await world.untilStatus(id, 'COMPLETED')
  const second = answerOf(await monitor('--ack', String(first.cursor)))
  expect(second.final_state).toBe('completed')
  expect(kindsOf(second)).toEqual(
    expect.arrayContaining(['question_answered', 'question_settled', 'completed']),
  )
  expect(kindsOf(second)).not.toContain('question_asked')
  expect(second.events!.every(({ seq, session_id }) => seq > first.cursor! && session_id === id)).toBe(true)
  expect(second.events!.map(({ seq }) => seq)).toEqual(
    second.events!.map(({ seq }) => seq).sort((a, b) => a - b),
  )

  await world.killDaemon()
  const third = answerOf(await monitor('--ack', String(second.cursor)))
  expect([third.final_state, third.events]).toEqual(['completed', []])
  // An old acknowledgement arrives late: the cursor never goes back.
  expect(answerOf(await monitor('--ack', String(first.cursor))).events).toEqual([])
})

test('cursors of different names are apart, other tasks are not told of, and what was never told cannot be acknowledged', async () => {
  const world = await startWorld()
  const mine = await world.run('do: finish ok')
  const other = await world.run('do: finish ok')
  await world.untilStatus(other, 'COMPLETED')
  const told = async (...args: string[]) => answerOf(await world.cli(['monitor', '--json', mine, ...args]))
  const day = await told('--cursor', 'day')
  expect(new Set(day.events!.map(({ session_id }) => session_id))).toEqual(new Set([mine]))
  expect((await told('--cursor', 'day', '--ack', String(day.cursor))).events).toEqual([])
  expect(kindsOf(await told('--cursor', 'night'))).toEqual(kindsOf(day))
  expect(await told()).not.toHaveProperty('cursor')
  const ahead = await world.cli(['monitor', mine, '--cursor', 'day', '--ack', '999999'])
  expect([ahead.code, ahead.stderr]).toEqual([1, expect.stringContaining('there is no event 999999 yet')])
  const odd = await world.cli(['monitor', mine, '--cursor', '../day'])
  expect([odd.code, odd.stderr]).toEqual([1, expect.stringContaining('INVALID_NAME')])
})
