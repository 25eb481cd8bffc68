import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

test('at most maxConcurrent runs work; the rest start by priority, then age', async () => {
  const world = await startWorld({ config: 'maxConcurrent: 1\n' })
  const first = await world.run('do: wait-for go\ndo: finish 1')
  await waitFor('the first to work', async () => (await world.status(first)).phase === 'working')
  const order = join(world.project, 'order')
  const later = async (name: string, priority: string) =>
    world.run(`do: append ${order} ${name}\ndo: finish ok`, '--priority', priority)
  const ids = [
    await later('low', 'low'),
    await later('normal-1', 'normal'),
    await later('normal-2', 'normal'),
    await later('high', 'high'),
  ]
  expect(await world.status(ids[3]!)).toMatchObject({ status: 'CREATED', phase: 'queued', queue_position: 1 })
  expect(await world.status(ids[0]!)).toMatchObject({ queue_position: 4 })
  writeFileSync(join(world.project, 'go'), '')
  for (const id of ids) await world.untilStatus(id, 'COMPLETED')
  expect(readFileSync(order, 'utf8').match(/low|normal-1|normal-2|high/g)).toEqual([
    'high',
    'normal-1',
    'normal-2',
    'low',
  ])
})

test('--no-queue at full quota is refused in the old words and leaves nothing', async () => {
  const world = await startWorld({ config: 'maxConcurrent: 1\n' })
  const running = await world.run('do: hang')
  const refused = await world.cli(['run', 'do: finish ok', '--no-queue'])
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Max concurrent sessions (1) reached'),
  })
  expect((await world.json<{ tasks: unknown[] }>(['list'])).tasks).toHaveLength(1)
  expect(readdirSync(join(world.home, 'tasks'))).toEqual([running])
  expect(readdirSync(join(world.project, '.holdfast/sessions'))).toEqual([running])
})

test('a task past its working time is KILLED with reason Timeout', async () => {
  const world = await startWorld({ config: 'reconcile.interval: 200ms\n' })
  const id = await world.run('do: say hello\ndo: hang', '--max-duration', '1s')
  const task = await world.untilStatus(id, 'KILLED')
  expect(task).toMatchObject({
    reason: 'Timeout: its working time of 1s is used up (max_duration)',
    task_status: 'cancelled',
  })
  expect(await world.ok(['logs', id, '--session'])).toContain('Timeout')
})

test('time in the queue does not count as working time', async () => {
  const world = await startWorld({ config: 'maxConcurrent: 1\nreconcile.interval: 200ms\n' })
  await world.run('do: wait 3\ndo: finish ok')
  const waiting = await world.run('do: finish in time', '--max-duration', '2s')
  await world.untilStatus(waiting, 'COMPLETED')
})

test('a task for which no run can be planned fails, and does not hold up those behind it', async () => {
  const world = await startWorld({ config: 'maxConcurrent: 1\n' })
  const bin = join(world.root, 'bin')
  const role = join(world.project, 'agents/verbose')
  for (const dir of [bin, role]) mkdirSync(dir, { recursive: true })
  writeFileSync(join(bin, 'codex'), '#!/bin/sh\n', { mode: 0o755 })
  // Longer than one argument may be, and Codex takes its persona as one.
  writeFileSync(join(role, 'verbose-agent.md'), 'x'.repeat(200 * 1024))
  const running = await world.run('do: wait-for go\ndo: finish ok')
  const env = { PATH: `${bin}:${world.env.PATH}` }
  const created = ['run', 'hello', '--agent', 'codex', '--role', 'verbose', '--permissions', 'read']
  const { task } = await world.json<{ task: { session_id: string } }>(created, { env })
  const behind = await world.run('do: finish ok')
  writeFileSync(join(world.project, 'go'), '')
  await world.untilStatus(running, 'COMPLETED')
  expect((await world.untilStatus(task.session_id, 'FAILED')).reason).toContain('AGENT_CANNOT')
  await world.untilStatus(behind, 'COMPLETED')
})
