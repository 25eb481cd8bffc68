import { expect, test } from 'vitest'
import type { HeartbeatJson } from '../../src/protocol/json/run-json.ts'
import type { RuntimeStartedJson } from '../../src/protocol/json/runtime-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

test('whoever works in a run, or a person, may say that it is alive; another run may not', async () => {
  const world = await startWorld()
  const id = await world.run('do: hang')
  const { run_id } = await waitFor('it to work', async () => {
    const task = await world.status(id)
    return task.phase === 'working' && task
  })
  expect(await world.json(['heartbeat', id])).toMatchObject({ session_id: id, status: 'active' })
  const inside = { HOLDFAST_TASK_ID: id, HOLDFAST_RUN: run_id! }
  expect(await world.cli(['heartbeat'], { env: inside })).toMatchObject({
    code: 0,
    stdout: `${id}: heartbeat received\n`,
  })
  const other = await world.cli(['heartbeat'], { env: { ...inside, HOLDFAST_RUN: 'another' } })
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('(NOT_ALLOWED_FOR_RUN)') })
  expect((await world.cli(['heartbeat'])).stderr).toContain('(USAGE)')
  await world.ok(['kill', id, '--force'])
  expect((await world.cli(['heartbeat', id])).stderr).toContain('(TASK_NOT_ACTIVE)')
})

test('what an agent said about itself last is still known after the daemon was killed', async () => {
  const world = await startWorld()
  const { runtime } = await world.json<RuntimeStartedJson>([
    ...['runtime', 'start', 'reviewer', '--agent', 'scripted'],
  ])
  expect(runtime).toMatchObject({ last_heartbeat_at: null, last_heartbeat_status: null })
  const { at } = await world.json<HeartbeatJson>(['heartbeat', runtime.task_id, '--status', 'idle'])
  await world.killDaemon()
  expect(await world.json(['runtime', 'status', 'reviewer'])).toMatchObject({
    last_heartbeat_at: at,
    last_heartbeat_status: 'idle',
  })
  expect(await world.json(['status', runtime.task_id])).toMatchObject({ heartbeat: { status: 'idle', at } })
})
